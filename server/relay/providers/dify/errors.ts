import { parseObject } from '../../../../core/input.ts'
import type { ReplyError } from '../../conversation/conversation.ts'
import { type Json, lookup, numberOf, textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'
import { replyErrorOf, type VendorErrorKind, vendorFailureOf } from '../vendor-error.ts'

/** Kinds of Dify's error codes. Most errors concern the app or its account, so another channel may succeed. */
const ERROR_KINDS: Readonly<Record<string, VendorErrorKind>> = lookup({
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

/** Reads the error `{status, code, message}` in a reply or in an event of a stream. */
export function difyError(body: Json): ReplyError {
  const code = textOf(body.code) ?? 'error'
  const error = replyErrorOf({ code, message: textOf(body.message) ?? '', kind: ERROR_KINDS[code] })
  return ERROR_KINDS[code] ? error : { ...error, status: numberOf(body.status) ?? error.status }
}

/** Reads an error response, which has the same fields as an error in a stream. */
export function difyFailure(status: number, body: string): Failure {
  const parsed = parseObject(body)
  const code = textOf(parsed?.code)
  const message = textOf(parsed?.message)
  if (!code || !message) return readFailure(status, body)
  return vendorFailureOf(status, { code, message, kind: ERROR_KINDS[code] })
}
