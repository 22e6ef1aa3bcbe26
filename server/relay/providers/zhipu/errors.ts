import { recordOf } from '../../../../core/records.ts'
import { type Json, lookup, textOf, wordOf } from '../../json.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/** Kinds of errors by Zhipu's code: https://docs.bigmodel.cn/cn/faq/api-code */
export const ZHIPU_ERROR_KINDS: Readonly<Record<string, VendorErrorKind>> = lookup({
  '1000': 'credential',
  '1001': 'credential',
  '1002': 'credential',
  '1003': 'credential',
  '1004': 'credential',
  '1112': 'money',
  '1113': 'money',
  '1211': 'model',
  '1213': 'request',
  '1214': 'request',
  '1234': 'busy',
  '1261': 'request',
  '1301': 'policy',
  '1302': 'rate',
  '1303': 'rate',
  '1305': 'rate',
})

/** Returns the error of API v4, in `error`, or of API v3, next to `success: false`, if any. */
export function zhipuError(body: Json): VendorError | undefined {
  const error = recordOf(body.error)
  const { code, message } = 'code' in error ? { code: error.code, message: error.message } : flatError(body)
  if (code === undefined || code === null) return undefined
  return { code: wordOf(code), message: textOf(message) ?? '', kind: ZHIPU_ERROR_KINDS[wordOf(code)] }
}

function flatError({ success, code, msg }: Json): { code: unknown; message: unknown } {
  return success === false ? { code: code ?? '', message: msg } : { code: undefined, message: undefined }
}
