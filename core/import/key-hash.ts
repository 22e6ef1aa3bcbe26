import type { Secrets } from '../secrets.ts'
import { hashOfSha256, SHA256_KEY } from '../tokens/foreign-keys.ts'

/** Returns the digest by which a token is found. `key` is the token's key, or the SHA-256 of an unknown key with its prefix. */
export function keyHash(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return key.startsWith(SHA256_KEY) ? hashOfSha256(secrets, key) : secrets.digest(key)
}
