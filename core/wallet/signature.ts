import { createHash } from 'node:crypto'
import { sameSecret } from '../secrets.ts'

const UNSIGNED = ['sign', 'sign_type']

/** The signature of the epay protocol: non-empty parameters in the order of their bytes, raw, then the merchant's key; MD5. */
export function signatureOf(params: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(params)
    .filter(([name, value]) => value !== '' && !UNSIGNED.includes(name))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${name}=${value}`)
  return createHash('md5')
    .update(signed.join('&') + key)
    .digest('hex')
}

/** Whether the parameters carry the signature of whoever has the key. */
export function isSigned(params: Readonly<Record<string, string>>, key: string): boolean {
  return sameSecret(params.sign ?? '', signatureOf(params, key))
}
