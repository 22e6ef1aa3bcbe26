import { GatewayError } from '../../core/errors.ts'
import { type PromptSize, promptOfChat, promptOfInput } from './counting/prompt.ts'

/** What a client can ask the relay to do. */
export type Operation = 'chat' | 'completions' | 'embeddings'

type Body = Readonly<Record<string, unknown>>

interface OperationRow {
  /** Throws REQUEST_MALFORMED naming the field. */
  check(body: Body): void
  prompt(body: Body): PromptSize
  /** Whether output tokens are to be expected. */
  produces: boolean
}

const MAX_TOKENS_MAX = 1_073_741_823

export const OPERATIONS: Record<Operation, OperationRow> = {
  chat: {
    produces: true,
    prompt: promptOfChat,
    check(body) {
      if (!Array.isArray(body.messages) || body.messages.length === 0) refuse('field messages is required')
      checkLimits(body)
    },
  },
  completions: {
    produces: true,
    prompt: (body) => promptOfInput(body.prompt),
    check(body) {
      if (body.prompt === undefined || body.prompt === '' || body.prompt === null) refuse('field prompt is required')
      checkLimits(body)
    },
  },
  embeddings: {
    produces: false,
    prompt: (body) => promptOfInput(body.input),
    check(body) {
      if (body.input === undefined || body.input === null || body.input === '') refuse('field input is required')
    },
  },
}

function refuse(reason: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason })
}

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const

function checkLimits(body: Body): void {
  for (const name of [...LIMITS, 'n', 'best_of']) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS_MAX
    if (!valid) refuse(`${name} is invalid: it must be a whole number`)
  }
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean')
    refuse('stream must be true or false')
}

/**
 * How many output tokens a request may cost at most, as far as it says; `fallback` where it says nothing. Several
 * choices cost as many times as much.
 */
export function completionLimit(operation: Operation, body: Body, fallback: number): number {
  if (!OPERATIONS[operation].produces) return 0
  const asked = Math.max(...LIMITS.map((name) => Number(body[name] ?? 0)))
  const choices = Math.max(1, Number(body.n ?? 1), operation === 'completions' ? Number(body.best_of ?? 1) : 1)
  return Math.min((asked || fallback) * choices, MAX_TOKENS_MAX)
}
