import type { Operation } from '../../../core/channels/operations.ts'
import type { PromptSize } from '../counting/prompt.ts'
import { promptOfInput } from '../counting/prompt.ts'
import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'

export interface Endpoint {
  readonly defaultModel?: string
  check(body: Body): void
  prompt(body: Body): PromptSize
}

const embeddings: Endpoint = {
  check(body) {
    if (body.input === undefined || body.input === null || body.input === '') refuse('field input is required')
  },
  prompt: (body) => promptOfInput(body.input),
}

export const ENDPOINTS = { embeddings } as unknown as Record<Exclude<Operation, 'chat'>, Endpoint>
