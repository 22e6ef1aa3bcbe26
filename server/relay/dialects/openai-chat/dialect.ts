import { isRecord, recordOf } from '../../../../core/records.ts'
import { promptOfChat } from '../../counting/prompt.ts'
import { objectsOf } from '../../json.ts'
import type { Body, Dialect } from '../dialect.ts'
import { openAiError, openAiErrorEvent } from '../openai-error.ts'
import { checkChoices, checkStream, checkWholeNumbers, largestLimit, refuse } from '../refuse.ts'
import { parseChat } from './parse.ts'
import { chatForwarder } from './passing.ts'
import { wholeChat } from './whole.ts'
import { chatWriter } from './writer.ts'

/** The format of OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  check(body) {
    if (!Array.isArray(body.messages) || body.messages.length === 0) refuse('field messages is required', 'messages')
    checkWholeNumbers(body, ['max_tokens', 'max_completion_tokens', 'max_output_tokens'])
    checkChoices(body, ['n', 'best_of'])
    checkStream(body)
  },
  prompt: promptOfChat,
  limit: chatLimit,
  withLimit: withChatLimit,
  parse: parseChat,
  withSystemPrompt(body, prompt, { before }) {
    const messages = objectsOf(body.messages)
    const hasPrompt = messages.some(({ role }) => role === 'system' || role === 'developer')
    if (hasPrompt && !before) return body as Record<string, unknown>
    return { ...body, messages: [{ role: 'system', content: prompt }, ...messages] }
  },
  writer: chatWriter,
  whole: wholeChat,
  forwarder: chatForwarder,
  withModelName: (body, model) => ({ ...body, model }),
  error: openAiError,
  errorEvent: openAiErrorEvent,
  ping: ': ping\n\n',
}

/** Returns the limits of a chat request. Counts all generated choices, even those that vLLM's `best_of` drops. */
function chatLimit(body: Body): { tokens: number | undefined; choices: number } {
  const limit = largestLimit(body.max_tokens, body.max_completion_tokens)
  return {
    tokens: limit && largestTokenLimit(limit, body),
    choices: Math.max(1, Number(body.n ?? 1), Number(body.best_of ?? 1)),
  }
}

/**
 * Returns the largest of `limit` and other fields that some upstreams obey, such as thinking budgets. Call this only
 * for a request that has a limit, because many upstreams ignore the other fields.
 */
export function largestTokenLimit(limit: number, body: Body): number | undefined {
  const { max_tokens, max_completion_tokens, max_output_tokens, thinking_budget, thinking, reasoning } = body
  const largest = largestLimit(limit, max_tokens, max_completion_tokens, max_output_tokens, thinking_budget)
  const { extra_body: extra } = body
  const extraLimit = isRecord(extra) ? largestTokenLimit(limit, extra) : 0
  if (!thinking && !reasoning && !extraLimit) return largest
  return largestLimit(largest, recordOf(thinking).budget_tokens, recordOf(reasoning).max_tokens, extraLimit)
}

/** Sets `max_tokens`. The provider later renames this field for the models of OpenAI that reject it. */
function withChatLimit(body: Body, tokens: number): Record<string, unknown> {
  const { max_completion_tokens: _, ...rest } = body
  return { ...rest, max_tokens: tokens }
}
