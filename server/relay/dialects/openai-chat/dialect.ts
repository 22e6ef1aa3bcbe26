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

/** Several choices cost as many times as much. Vendors have names of their own for how much is thought. */
export function chatLimit(body: Body): { tokens: number | undefined; choices: number } {
  const { max_tokens, max_completion_tokens, max_output_tokens, thinking_budget } = body
  const thought = [thinking_budget, objectOf(body.thinking).budget_tokens, objectOf(body.reasoning).max_tokens]
  const tokens = largest(max_tokens, max_completion_tokens, max_output_tokens, ...thought)
  return { tokens, choices: Math.max(1, Number(body.n ?? 1)) }
}
