/*
 * `thoughtSignature` is a field of bytes, so clients decode it from base64 and fail on anything else. Other vendors'
 * signatures are texts of any kind.
 */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** In front of a text that was encoded here. Its nine bytes are twelve digits in base64, whatever follows. */
const MARK = 'tollgate:'
const ENCODED_MARK = Buffer.from(MARK).toString('base64')

/** Returns a signature as base64. One that is base64 already stays, so that Gemini gets its own back. */
export function encodeSignature(signature: string): string {
  const isPlain = BASE64.test(signature) && !signature.startsWith(ENCODED_MARK)
  return isPlain ? signature : Buffer.from(MARK + signature).toString('base64')
}

/** Returns what `encodeSignature` was given. */
export function decodeSignature(encoded: string): string {
  if (!encoded.startsWith(ENCODED_MARK)) return encoded
  return Buffer.from(encoded, 'base64').toString('utf8').slice(MARK.length)
}
