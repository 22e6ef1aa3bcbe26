import type { ReplyError } from '../../conversation/conversation.ts'
import { type Json, lookup, numeric, textOf, wordOf } from '../../json.ts'
import { failureReader, replyErrorOf, type VendorError, type VendorErrorKind } from '../vendor-error.ts'

/** Kinds of Coze's error codes: https://www.coze.cn/docs/developer_guides/coze_error_codes */
const ERROR_KINDS: Readonly<Record<string, VendorErrorKind>> = lookup({
  '4000': 'request',
  '4100': 'credential',
  '4101': 'credential',
  '4200': 'model',
})

/** Returns the error in a body, or undefined if `code` is 0 or absent. */
export function cozeErrorIn(body: Json): ReplyError | undefined {
  const error = vendorError(body)
  return error && replyErrorOf(error)
}

/** Reads the error of a failed chat or of an `error` event, which may lack a code. */
export function cozeError(body: Json): ReplyError {
  return cozeErrorIn(body) ?? replyErrorOf({ code: 'failed', message: textOf(body.msg) ?? '', kind: undefined })
}

export const cozeFailure = failureReader(vendorError)

function vendorError({ code, msg }: Json): VendorError | undefined {
  if (code === undefined || code === null || numeric(code) === 0) return undefined
  return { code: wordOf(code), message: textOf(msg) ?? '', kind: ERROR_KINDS[wordOf(code)] }
}
