import type { Secrets } from '../secrets.ts'
import { hashOfSha256, SHA256_KEY } from '../tokens/foreign-keys.ts'

/** What a token is looked up by: of its key, or of the SHA-256 that stands for a key. */
export function keyHash(secrets: Pick<Secrets, 'digest'>, key: string): string {
  return key.startsWith(SHA256_KEY) ? hashOfSha256(secrets, key) : secrets.digest(key)
}
