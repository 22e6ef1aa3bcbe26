import { isObject, type Json, objectOf, textOf, wordOf } from '../../json.ts'
import type { Trouble, VendorError } from '../trouble.ts'

/** By the beginning of a code; the first that fits. https://cloud.tencent.com/document/api/1729/101836 */
const TROUBLES: readonly (readonly [string, Trouble])[] = [
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

/** What is wrong, if anything: with status 200, in `Response.Error` of a body or `ErrorMsg` of a chunk. */
export function tencentError(body: Json): VendorError | undefined {
  const response = objectOf(body.Response)
  if (isObject(response.Error)) return errorOf(response.Error.Code, response.Error.Message)
  const told = isObject(body.ErrorMsg) ? body.ErrorMsg : response.ErrorMsg
  return isObject(told) ? errorOf(told.Code, told.Msg) : undefined
}

function errorOf(told: unknown, message: unknown): VendorError {
  const code = wordOf(told ?? '')
  const [, trouble] = TROUBLES.find(([beginning]) => code.startsWith(beginning)) ?? []
  return { code, message: textOf(message) ?? '', trouble }
}
