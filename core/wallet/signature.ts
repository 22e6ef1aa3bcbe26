import { createHash } from 'node:crypto'
import { sameSecret } from '../secrets.ts'

const UNSIGNED = ['sign', 'sign_type']

/**
 * Returns the signature of the epay protocol: the MD5 of the parameters, followed by the merchant's key. The parameters
 * are sorted by bytes and not escaped. Empty parameters are omitted.
 */
export function epaySignatureOf(params: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(params)
    .filter(([name, value]) => value !== '' && !UNSIGNED.includes(name))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${name}=${value}`)
  return createHash('md5')
    .update(signed.join('&') + key)
    .digest('hex')
}

/** Returns whether the parameters are signed with this key. */
export function isSigned(params: Readonly<Record<string, string>>, key: string): boolean {
  return sameSecret(params.sign ?? '', epaySignatureOf(params, key))
}
