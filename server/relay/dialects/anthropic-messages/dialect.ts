import { isRecord, recordOf } from '../../../../core/records.ts'
import type { Body, Dialect } from '../dialect.ts'
import { largestLimit } from '../refuse.ts'
import { checkMessages } from './check.ts'
import { promptOfMessages } from './count.ts'
import { anthropicErrorEvent, formatNamedEvent, messagesError } from './error.ts'
import { parse } from './parse.ts'
import { messagesForwarder } from './passing.ts'
import { wholeMessage } from './whole.ts'
import { messagesWriter } from './writer.ts'

/** The format of Anthropic's clients: https://platform.claude.com/docs/en/api/messages */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  check: checkMessages,
  prompt: promptOfMessages,
  limit: (body) => ({ tokens: largestLimit(body.max_tokens, recordOf(body.thinking).budget_tokens), choices: 1 }),
  withLimit: (body, tokens) => ({ ...body, max_tokens: tokens }),
  parse,
  withSystemPrompt,
  writer: messagesWriter,
  whole: wholeMessage,
  forwarder: messagesForwarder,
  withModelName: (body, model) => ({ ...body, model }),
  error: messagesError,
  errorEvent: anthropicErrorEvent,
  ping: formatNamedEvent({ type: 'ping' }),
}

function withSystemPrompt(body: Body, prompt: string, { before }: { before: boolean }): Record<string, unknown> {
  const { system } = body
  const hasPrompt = Array.isArray(system) ? system.some(isRecord) : typeof system === 'string' && system !== ''
  if (!hasPrompt) return { ...body, system: prompt }
  if (!before) return body as Record<string, unknown>
  return {
    ...body,
    system: Array.isArray(system) ? [{ type: 'text', text: prompt }, ...system] : `${prompt}\n\n${system}`,
  }
}
