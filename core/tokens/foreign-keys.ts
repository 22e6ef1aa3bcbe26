import { createHash } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import { KEY_PREFIX } from './token.ts'

/** Prefix of the SHA-256 of an imported key whose text is not known. */
export const SHA256_KEY = 'sha256:'

/** Returns the text whose digest is stored. Keys contain no line break, so a SHA-256 is not itself a valid key. */
const textToDigest = (sha256: string): string => `sha256\n${sha256}`

/** Returns the `key_hash` of a token that is imported with a SHA-256. `marked` is the SHA-256 with its prefix. */
export function hashOfSha256(secrets: Pick<Secrets, 'digest'>, marked: string): string {
  return secrets.digest(textToDigest(marked.slice(SHA256_KEY.length)))
}

/** Returns the `key_hash` of the imported token with this key. `key` is the key without `sk-`. */
export function hashAsForeign(secrets: Pick<Secrets, 'digest'>, key: string): string {
  const sha256 = createHash('sha256').update(`${KEY_PREFIX}${key}`).digest('hex')
  return secrets.digest(textToDigest(sha256))
}
