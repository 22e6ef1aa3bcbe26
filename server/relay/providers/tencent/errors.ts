import { isRecord, recordOf } from '../../../../core/records.ts'
import { type Json, textOf, wordOf } from '../../json.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/**
 * Kinds of errors by the start of the code. The first match counts. https://cloud.tencent.com/document/api/1729/101836
 */
const ERROR_KINDS: readonly (readonly [string, VendorErrorKind])[] = [
  ['AuthFailure', 'credential'],
  ['FailedOperation.ResourcePackExhausted', 'money'],
  ['FailedOperation.FreeResourcePackExhausted', 'money'],
  ['ResourceUnavailable.InArrears', 'money'],
  ['LimitExceeded', 'rate'],
  ['RequestLimitExceeded', 'rate'],
  ['InvalidParameter', 'request'],
  ['OperationDenied.TextIllegalDetected', 'policy'],
  ['OperationDenied.ImageIllegalDetected', 'policy'],
]

/** Returns the error in a body's `Response.Error` or in a chunk's `ErrorMsg`, if any. */
export function tencentError(body: Json): VendorError | undefined {
  const response = recordOf(body.Response)
  if (isRecord(response.Error)) return errorOf(response.Error.Code, response.Error.Message)
  const error = isRecord(body.ErrorMsg) ? body.ErrorMsg : response.ErrorMsg
  return isRecord(error) ? errorOf(error.Code, error.Msg) : undefined
}

function errorOf(value: unknown, message: unknown): VendorError {
  const code = wordOf(value ?? '')
  const [, kind] = ERROR_KINDS.find(([beginning]) => code.startsWith(beginning)) ?? []
  return { code, message: textOf(message) ?? '', kind }
}
