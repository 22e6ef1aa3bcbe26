import { formatEvent } from '../transport/sse.ts'
import type { RelayError } from './dialect.ts'

/** Codes of refusals that no repetition changes: OpenAI's and Anthropic's clients repeat others by themselves. */
const POINTLESS_TO_REPEAT = new Set(['insufficient_user_quota', 'insufficient_token_quota', 'insufficient_quota'])

/** An error as OpenAI's API words it: https://platform.openai.com/docs/guides/error-codes */
export function openAiError({ message, type, param, code }: RelayError): {
  body: { error: { message: string; type: string; param: string | null; code: string | null } }
  headers?: Record<string, string>
} {
  const body = { error: { message, type, param, code } }
  return isPointless(code) ? { body, headers: { 'x-should-retry': 'false' } } : { body }
}

export function isPointless(code: string | null): boolean {
  return code !== null && POINTLESS_TO_REPEAT.has(code)
}

/** The same as the last event of a stream; no `[DONE]` follows. */
export function openAiErrorEvent(error: RelayError): string {
  return formatEvent(openAiError(error).body)
}
