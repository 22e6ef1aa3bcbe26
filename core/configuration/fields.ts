/** The fields of one entry of a file, with the file's names. */
export type Fields = Record<string, unknown>

/**
 * Joins the parts of a name, such as `ann/app`. If there are several parts, those with a slash or a quote are quoted, so that
 * different names stay different.
 */
export function joinedName(parts: readonly (string | undefined)[]): string {
  const presentParts = parts.filter((part) => part !== undefined)
  if (presentParts.length === 1) return presentParts.join()
  return presentParts.map((part) => (/["/]/.test(part) ? JSON.stringify(part) : part)).join('/')
}

const DIGEST_LENGTH = 16

/** Represents a secret. Its digest is compared, and never shown. */
export class SecretDigest {
  readonly digest: string
  constructor(digest: string) {
    this.digest = digest.slice(0, DIGEST_LENGTH)
  }
  toJSON(): string {
    return `secret:${this.digest}`
  }
}
