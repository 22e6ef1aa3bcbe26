import { parseObject } from '../../../../core/input.ts'
import { textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/** HTTP statuses by the beginning of the error code: https://help.aliyun.com/zh/model-studio/error-code */
const STATUS_OF_CODE: readonly (readonly [beginning: RegExp, status: number])[] = [
  [/^invalid_?api_?key/i, 401],
  [/^arrearage/i, 402],
  [/^(accessdenied|access_denied)/i, 403],
  [/^(modelnotfound|model_not_found)/i, 404],
  [/^(datainspection|data_inspection|invalid|badrequest)/i, 400],
  [/^throttling/i, 429],
]

/** Returns the HTTP status for an error code, or 500 if the code is unknown. */
export function statusOfCode(code: string): number {
  return STATUS_OF_CODE.find(([beginning]) => beginning.test(code))?.[1] ?? 500
}

/**
 * Reads an error in either of DashScope's formats. DashScope reports an account without money as a bad request. The
 * failure gets status 402, so that the relay tries another channel.
 */
export function aliFailure(status: number, body: string): Failure {
  const base = readFailure(status, body)
  const vendorCode = textOf(parseObject(body)?.code)
  const code = vendorCode ?? base.code
  if (code && statusOfCode(code) === 402) {
    return { ...base, status: 402, type: 'insufficient_quota', code, retry: 'other-channel' }
  }
  return vendorCode ? { ...base, code: vendorCode } : base
}
