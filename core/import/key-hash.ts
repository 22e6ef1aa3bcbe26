import type { Secrets } from '../secrets.ts'
import { hashOfSha256, SHA256_KEY } from '../tokens/foreign-keys.ts'

/**
 * Returns the digest by which a token is found. `key` is the token's key. If only the SHA-256 of the key is known,
 * `key` is the prefix SHA256_KEY and the hash.
 */
export function keyHash(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return key.startsWith(SHA256_KEY) ? hashOfSha256(secrets, key) : secrets.digest(key)
}
