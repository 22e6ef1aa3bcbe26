import { formatEvent } from '../transport/sse.ts'
import type { RelayError } from './dialect.ts'

/** Codes of errors that a retry cannot fix, although the clients of OpenAI and Anthropic retry by default. */
const POINTLESS_TO_RETRY = new Set(['insufficient_user_quota', 'insufficient_token_quota', 'insufficient_quota'])

/** Returns an error in OpenAI's format: https://platform.openai.com/docs/guides/error-codes */
export function openAiError({ message, type, param, code }: RelayError): {
  body: { error: { message: string; type: string; param: string | null; code: string | null } }
  headers?: Record<string, string>
} {
  const body = { error: { message, type, param, code } }
  return isRetryPointless(code) ? { body, headers: { 'x-should-retry': 'false' } } : { body }
}

export function isRetryPointless(code: string | null): boolean {
  return code !== null && POINTLESS_TO_RETRY.has(code)
}

/** Returns an error in OpenAI's format as the last event of a stream, without `[DONE]`. */
export function openAiErrorEvent(error: RelayError): string {
  return formatEvent(openAiError(error).body)
}
