import type { Secrets } from '../secrets.ts'
import { hashOfSha256, SHA256_KEY } from '../tokens/foreign-keys.ts'

/** Returns the digest that finds a token: of its key, or of the SHA-256 that replaces the key. */
export function keyHash(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return key.startsWith(SHA256_KEY) ? hashOfSha256(secrets, key) : secrets.digest(key)
}
