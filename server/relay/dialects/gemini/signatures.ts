/*
 * The field `thoughtSignature` contains bytes: clients decode its text as base64, and fail on any other text. But
 * signatures of other vendors can be any text.
 */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Prefix of encoded signatures. The nine bytes of this prefix always become the same twelve base64 digits. */
const MARK = 'tollgate:'
const ENCODED_MARK = Buffer.from(MARK).toString('base64')

/** Returns a signature as base64. Gemini's own signatures are already base64 and stay unchanged. */
export function encodeSignature(signature: string): string {
  const isPlain = BASE64.test(signature) && !signature.startsWith(ENCODED_MARK)
  return isPlain ? signature : Buffer.from(MARK + signature).toString('base64')
}

/** Reverses `encodeSignature`. */
export function decodeSignature(encoded: string): string {
  if (!encoded.startsWith(ENCODED_MARK)) return encoded
  return Buffer.from(encoded, 'base64').toString('utf8').slice(MARK.length)
}
