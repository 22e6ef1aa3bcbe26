/** The fields of one entry of a configuration file, with the names that the file uses. */
export type ConfigurationFields = Record<string, unknown>

/**
 * Joins the parts of a name, such as `ann/app`. If there are several parts, quotes each part with a slash or a quote,
 * so that different names stay different.
 */
export function joinedName(parts: readonly (string | undefined)[]): string {
  const presentParts = parts.filter((part) => part !== undefined)
  if (presentParts.length === 1) return presentParts.join()
  return presentParts.map((part) => (/["/]/.test(part) ? JSON.stringify(part) : part)).join('/')
}

const DIGEST_LENGTH = 16

/** A secret in a state. Only its digest is compared. Plans do not show it. */
export class SecretDigest {
  readonly digest: string
  constructor(digest: string) {
    this.digest = digest.slice(0, DIGEST_LENGTH)
  }
  toJSON(): string {
    return `secret:${this.digest}`
  }
}
