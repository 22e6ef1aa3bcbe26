import { type Json, lookup, numberOf, numeric, textOf, wordOf } from '../../json.ts'
import type { VendorError, VendorErrorKind } from '../vendor-error.ts'

/** Kinds of Baidu's error codes: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const ERROR_KINDS: Readonly<Record<number, VendorErrorKind>> = lookup({
  1: 'busy',
  2: 'busy',
  4: 'rate',
  6: 'credential',
  17: 'rate',
  18: 'rate',
  19: 'rate',
  336000: 'request',
  336001: 'request',
  336002: 'request',
  336003: 'request',
  336006: 'request',
  336007: 'request',
  336100: 'busy',
})
const TOKEN_ERRORS = new Set([100, 110, 111])

/** Returns the error in a body, if any. Baidu reports errors with status 200. */
export function baiduError(body: Json): VendorError | undefined {
  const code = numberOf(body.error_code) ?? Number(textOf(body.error_code) ?? 0)
  if (code === 0) return undefined
  return { code: wordOf(code), message: textOf(body.error_msg) ?? '', kind: ERROR_KINDS[code] }
}

/** Whether Baidu rejected the access token. Only the next token request shows whether the account is still valid. */
export function isTokenRejected({ code }: { readonly code: string | null }): boolean {
  return TOKEN_ERRORS.has(numeric(code))
}
