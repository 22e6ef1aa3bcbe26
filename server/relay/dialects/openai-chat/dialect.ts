import { promptOfChat } from '../../counting/prompt.ts'
import { objectOf, objectsOf } from '../../json.ts'
import type { Body, Dialect } from '../dialect.ts'
import { openAiError, openAiErrorEvent } from '../openai-error.ts'
import { checkChoices, checkStream, checkWholeNumbers, largest, refuse } from '../refuse.ts'
import { parseChat } from './parse.ts'
import { passingChat } from './passing.ts'
import { wholeChat } from './whole.ts'
import { chatWriter } from './writer.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  check(body) {
    if (!Array.isArray(body.messages) || body.messages.length === 0) refuse('field messages is required')
    checkWholeNumbers(body, ['max_tokens', 'max_completion_tokens', 'max_output_tokens'])
    checkChoices(body, ['n'])
    checkStream(body)
  },
  prompt: promptOfChat,
  limit: chatLimit,
  withLimit: withChatLimit,
  parse: parseChat,
  withSystemPrompt(body, prompt, { before }) {
    const messages = objectsOf(body.messages)
    const has = messages.some(({ role }) => role === 'system' || role === 'developer')
    if (has && !before) return body as Record<string, unknown>
    return { ...body, messages: [{ role: 'system', content: prompt }, ...messages] }
  },
  writer: chatWriter,
  whole: wholeChat,
  passing: passingChat,
  renamed: (body, model) => ({ ...body, model }),
  error: openAiError,
  errorEvent: openAiErrorEvent,
  ping: ': ping\n\n',
}

/** Several choices cost as many times as much. */
export function chatLimit(body: Body): { tokens: number | undefined; choices: number } {
  const limit = largest(body.max_tokens, body.max_completion_tokens)
  return { tokens: limit && mostOf(limit, body), choices: Math.max(1, Number(body.n ?? 1)) }
}

/**
 * The largest of a limit and of other fields that some upstreams obey: vendors have names of their own for how much is thought.
 * Those are no limit by themselves, since other upstreams ignore them.
 */
export function mostOf(limit: number, body: Body): number | undefined {
  const { max_tokens, max_completion_tokens, max_output_tokens, thinking_budget } = body
  const thought = [thinking_budget, objectOf(body.thinking).budget_tokens, objectOf(body.reasoning).max_tokens]
  return largest(limit, max_tokens, max_completion_tokens, max_output_tokens, ...thought)
}

/** `max_tokens` is what all vendors know; where OpenAI's own models refuse it, it is renamed on the way. */
export function withChatLimit(body: Body, tokens: number): Record<string, unknown> {
  const { max_completion_tokens: _, ...rest } = body
  return { ...rest, max_tokens: tokens }
}
