import type { ReplyError } from '../../conversation/conversation.ts'
import { arrayOf, isObject, type Json, numberOf, objectOf, objectsOf, parseObject, textOf } from '../../json.ts'
import { failure, readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/**
 * An error answer of a Google API: `{"error":{code,message,status,details}}`, sometimes the only entry of an array. A bad
 * key is reported with status 400; it and what a region forbids are no fault of the request.
 * https://ai.google.dev/gemini-api/docs/troubleshooting
 */
export function googleFailure(status: number, body: string): Failure {
  const error = errorOf(unwrapped(body))
  const message = textOf(error?.message)
  const word = textOf(error?.status)
  if (!error || !message || !word) return readFailure(status, error ? JSON.stringify({ error }) : body)
  const found = failure(status, message, { type: 'upstream_error', code: word })
  if (isBadKey(error))
    return { ...found, type: 'authentication_error', code: 'invalid_api_key', retry: 'other-channel' }
  return word === 'FAILED_PRECONDITION' ? { ...found, retry: 'other-channel' } : found
}

/** An error in a reply that began well; undefined: it is none. */
export function errorIn(body: Json): ReplyError | undefined {
  const error = errorOf(body)
  if (!error) return undefined
  const status = numberOf(error.code)
  return {
    message: textOf(error.message) ?? 'The upstream answered with an error',
    type: textOf(error.status),
    code: textOf(error.status),
    status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
  }
}

/** The object that an array with one entry wraps. */
export function unwrapped(text: string): Json {
  const whole = parseObject(text)
  if (whole) return whole
  const inner = parseObject(`{"wrapped":${text.trim() || 'null'}}`)
  return objectOf(arrayOf(inner?.wrapped)[0])
}

function errorOf({ error }: Json): Json | undefined {
  if (isObject(error)) return error
  return textOf(error) ? { message: error } : undefined
}

function isBadKey(error: Json): boolean {
  return objectsOf(error.details).some(({ reason }) => reason === 'API_KEY_INVALID' || reason === 'API_KEY_EXPIRED')
}
