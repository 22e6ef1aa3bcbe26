import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { readUsage } from '../../charging/usage.ts'
import type { ReplyError } from '../../conversation/conversation.ts'
import { type Json, lookup, numeric, textOf } from '../../json.ts'

/** Reads a response's usage, also with the field names of chat completions. Undefined if it is missing or zero. */
export function readResponseUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined
  return readUsage({
    prompt_tokens: usage.input_tokens ?? usage.prompt_tokens,
    prompt_tokens_details: usage.input_tokens_details ?? usage.prompt_tokens_details,
    completion_tokens: usage.output_tokens ?? usage.completion_tokens,
    completion_tokens_details: usage.output_tokens_details ?? usage.completion_tokens_details,
  })
}

/** HTTP statuses by error code. */
const STATUSES: Readonly<Record<string, number>> = lookup({
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_prompt: 400,
  server_error: 500,
})

export function isResponseError(response: Json): boolean {
  return response.status === 'failed' || Boolean(response.error)
}

/**
 * Reads the error of a failed or cancelled response, or of an `error` event. The error's fields are in `error` or at
 * the top level. `error` can also be the message itself.
 */
export function responseError(body: Json): ReplyError {
  const error = isRecord(body.error) ? body.error : typeof body.error === 'string' ? { message: body.error } : body
  const code = textOf(error.code) ?? (typeof error.code === 'number' ? String(error.code) : undefined)
  const type = textOf(error.type)
  const numericCode = numeric(code ?? recordOf(error).status)
  return {
    message: textOf(error.message) ?? (body.status === 'cancelled' ? 'The response was cancelled' : NO_MESSAGE),
    type: type === 'error' ? undefined : type,
    code,
    status: STATUSES[code ?? ''] ?? (numericCode >= 400 && numericCode < 600 ? numericCode : undefined),
  }
}

const NO_MESSAGE = 'The upstream returned an error'
