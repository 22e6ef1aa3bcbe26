import { parseObject } from '../../../../core/input.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import type { ReplyError } from '../../conversation/conversation.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { createFailure, readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/**
 * Reads an error of a Google API: `{"error":{code,message,status,details}}`, sometimes in a list. Google reports a bad
 * key and an unsupported region (FAILED_PRECONDITION) with status 400, but the relay must try another channel.
 * https://ai.google.dev/gemini-api/docs/troubleshooting
 */
export function googleFailure(status: number, body: string): Failure {
  const error = errorOf(parseErrorBody(body))
  const message = textOf(error?.message)
  const statusName = textOf(error?.status)
  if (!error || !message || !statusName) return readFailure(status, error ? JSON.stringify({ error }) : body)
  const base = createFailure(status, message, { type: 'upstream_error', code: statusName })
  if (isBadKey(error)) return { ...base, type: 'authentication_error', code: 'invalid_api_key', retry: 'other-channel' }
  return statusName === 'FAILED_PRECONDITION' ? { ...base, retry: 'other-channel' } : base
}

/** Returns the error in a reply with status 200, or undefined if there is none. */
export function errorInReply(body: Json): ReplyError | undefined {
  const error = errorOf(body)
  if (!error) return undefined
  const status = numberOf(error.code)
  return {
    message: textOf(error.message) ?? 'The upstream returned an error',
    type: textOf(error.status),
    code: textOf(error.status),
    status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
  }
}

/** Parses an error body: an object, or a list whose first item is the object. Returns {} for any other text. */
export function parseErrorBody(text: string): Json {
  const whole = parseObject(text)
  if (whole) return whole
  const inner = parseObject(`{"wrapped":${text.trim() || 'null'}}`)
  return recordOf(arrayOf(inner?.wrapped)[0])
}

function errorOf({ error }: Json): Json | undefined {
  if (isRecord(error)) return error
  return textOf(error) ? { message: error } : undefined
}

function isBadKey(error: Json): boolean {
  return objectsOf(error.details).some(({ reason }) => reason === 'API_KEY_INVALID' || reason === 'API_KEY_EXPIRED')
}
