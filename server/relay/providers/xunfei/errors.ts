import { recordOf } from '../../../../core/records.ts'
import { type Json, lookup, numberOf, textOf, wordOf } from '../../json.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/** Kinds of errors by Spark's code: https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html */
export const SPARK_ERROR_KINDS: Readonly<Record<string, VendorErrorKind>> = lookup({
  '10007': 'busy',
  '10008': 'busy',
  '10013': 'policy',
  '10014': 'policy',
  '10019': 'policy',
  '10907': 'request',
  '11200': 'credential',
  '11201': 'money',
  '11202': 'rate',
  '11203': 'rate',
})

/** Returns the error in a frame's header, or at the top level of a body, if the code is not 0. */
export function sparkError(body: Json): VendorError | undefined {
  const header = 'header' in body ? recordOf(body.header) : body
  const code = numberOf(header.code) ?? 0
  if (code === 0) return undefined
  return { code: wordOf(code), message: textOf(header.message) ?? '', kind: SPARK_ERROR_KINDS[code] }
}
