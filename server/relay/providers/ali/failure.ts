import { parseObject, textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/** What codes amount to as HTTP statuses, by how they begin. https://help.aliyun.com/zh/model-studio/error-code */
const STATUS_OF_CODE: readonly (readonly [beginning: RegExp, status: number])[] = [
  [/^invalid_?api_?key/i, 401],
  [/^arrearage/i, 402],
  [/^(accessdenied|access_denied)/i, 403],
  [/^(modelnotfound|model_not_found)/i, 404],
  [/^(datainspection|data_inspection|invalid|badrequest)/i, 400],
  [/^throttling/i, 429],
]

/** The status that a code stands for, where none came with it. */
export function statusOfCode(code: string): number {
  return STATUS_OF_CODE.find(([beginning]) => beginning.test(code))?.[1] ?? 500
}

/** An error answer in either of DashScope's shapes. An empty account is told as a bad request, but another one may have money. */
export function aliFailure(status: number, body: string): Failure {
  const found = readFailure(status, body)
  const own = textOf(parseObject(body)?.code)
  const code = own ?? found.code
  if (code && statusOfCode(code) === 402) {
    return { ...found, status: 402, type: 'insufficient_quota', code, retry: 'other-channel' }
  }
  return own ? { ...found, code: own } : found
}
