import { createHash } from 'node:crypto'
import type { Secrets } from '../secrets.ts'
import { KEY_PREFIX } from './token.ts'

/** Marks a SHA-256 in place of a key whose text is not stored anywhere. */
export const SHA256_KEY = 'sha256:'

/** The line break cannot be part of a key, so that the SHA-256, which the other program's database shows, is no key itself. */
const lookup = (sha256: string): string => `sha256\n${sha256}`

/** The `key_hash` of a token whose key came as its SHA-256, prefix included. */
export function hashOfSha256(secrets: Pick<Secrets, 'digest'>, marked: string): string {
  return secrets.digest(lookup(marked.slice(SHA256_KEY.length)))
}

/** The `key_hash` that such a token would have for this key, which is without its prefix. */
export function hashAsForeign(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return secrets.digest(
    lookup(
      createHash('sha256')
        .update(KEY_PREFIX + key)
        .digest('hex'),
    ),
  )
}
