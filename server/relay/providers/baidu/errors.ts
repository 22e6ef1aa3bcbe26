import { type Json, lookup, numberOf, numeric, textOf, wordOf } from '../../json.ts'
import type { Trouble, VendorError } from '../trouble.ts'

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const TROUBLES: Readonly<Record<number, Trouble>> = lookup({
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
const TOKEN_REFUSED = new Set([100, 110, 111])

/** What is wrong, if anything: Baidu says it with status 200. */
export function baiduError(body: Json): VendorError | undefined {
  const code = numberOf(body.error_code) ?? Number(textOf(body.error_code) ?? 0)
  if (code === 0) return undefined
  return { code: wordOf(code), message: textOf(body.error_msg) ?? '', trouble: TROUBLES[code] }
}

/** Whether the token was refused. The account may be well: that is told when a new one is asked for. */
export function isTokenRefused({ code }: { readonly code: string | null }): boolean {
  return TOKEN_REFUSED.has(numeric(code))
}
