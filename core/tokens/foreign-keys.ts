import { createHash } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import { KEY_PREFIX } from './token.ts'

/** Prefix of a SHA-256 that replaces a key whose text is not stored anywhere. */
export const SHA256_KEY = 'sha256:'

/** Keys cannot contain a line break, so the SHA-256 shown by the other program's database is not itself a valid key. */
const lookup = (sha256: string): string => `sha256\n${sha256}`

/** Returns the `key_hash` of a token that was imported with its key's SHA-256; `marked` includes the prefix. */
export function hashOfSha256(secrets: Pick<Secrets, 'digest'>, marked: string): string {
  return secrets.digest(lookup(marked.slice(SHA256_KEY.length)))
}

/** Returns the `key_hash` that an imported token would have for this key, given without its prefix. */
export function hashAsForeign(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return secrets.digest(
    lookup(
      createHash('sha256')
        .update(KEY_PREFIX + key)
        .digest('hex'),
    ),
  )
}
