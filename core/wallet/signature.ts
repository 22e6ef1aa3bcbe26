import { createHash } from 'node:crypto'
import { sameSecret } from '../secrets.ts'

const UNSIGNED = ['sign', 'sign_type']

/**
 * Returns the signature of the epay protocol: MD5 of the non-empty parameters, unescaped and sorted by bytes, and the merchant's
 * key.
 */
export function signatureOf(params: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(params)
    .filter(([name, value]) => value !== '' && !UNSIGNED.includes(name))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${name}=${value}`)
  return createHash('md5')
    .update(signed.join('&') + key)
    .digest('hex')
}

/** Whether the key signed the parameters. */
export function isSigned(params: Readonly<Record<string, string>>, key: string): boolean {
  return sameSecret(params.sign ?? '', signatureOf(params, key))
}
