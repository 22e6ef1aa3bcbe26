import type { ReplyError } from '../../conversation/conversation.ts'
import { type Json, lookup, numberOf, parseObject, textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'
import { failureOf, replyErrorOf, type Trouble } from '../trouble.ts'

/** What Dify's codes are about: most are the app's or its account's, and another channel may do better. */
const TROUBLES: Readonly<Record<string, Trouble>> = lookup({
  invalid_param: 'request',
  bad_request: 'request',
  file_too_large: 'request',
  unsupported_file_type: 'request',
  unauthorized: 'credential',
  provider_quota_exceeded: 'money',
  provider_not_initialize: 'busy',
  app_unavailable: 'busy',
  model_currently_not_support: 'busy',
  completion_request_error: 'busy',
})

/** `{status, code, message}`, as an event of a stream. */
export function difyError(body: Json): ReplyError {
  const code = textOf(body.code) ?? 'error'
  const error = replyErrorOf({ code, message: textOf(body.message) ?? '', trouble: TROUBLES[code] })
  return TROUBLES[code] ? error : { ...error, status: numberOf(body.status) ?? error.status }
}

/** The same as an answer with that status. */
export function difyFailure(status: number, body: string): Failure {
  const parsed = parseObject(body)
  const code = textOf(parsed?.code)
  const message = textOf(parsed?.message)
  if (!code || !message) return readFailure(status, body)
  return failureOf(status, { code, message, trouble: TROUBLES[code] })
}
