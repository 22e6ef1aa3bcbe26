import { createHash } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import { KEY_PREFIX } from './token.ts'

/** Prefix of the SHA-256 of an imported key. The text of such a key is not known. */
export const SHA256_KEY = 'sha256:'

/**
 * Keys cannot contain the line break. Without it, the SHA-256 from the other program's database would itself be a valid key.
 */
const lookup = (sha256: string): string => `sha256\n${sha256}`

/** Returns the `key_hash` of a token that is imported with the SHA-256 of its key. `marked` is the SHA-256 with its prefix. */
export function hashOfSha256(secrets: Pick<Secrets, 'digest'>, marked: string): string {
  return secrets.digest(lookup(marked.slice(SHA256_KEY.length)))
}

/** Returns the `key_hash` of the imported token with this key. `key` is without its prefix. */
export function hashAsForeign(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return secrets.digest(
    lookup(
      createHash('sha256')
        .update(KEY_PREFIX + key)
        .digest('hex'),
    ),
  )
}
