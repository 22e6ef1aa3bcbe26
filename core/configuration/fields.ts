/** The fields of one entry of a file, with the file's names. */
export type Fields = Record<string, unknown>

/** A name of several parts, `ann/app`. Parts that have a slash are quoted, so that no two names are the same. */
export function joinedName(parts: readonly (string | undefined)[]): string {
  const given = parts.filter((part) => part !== undefined)
  if (given.length === 1) return given.join()
  return given.map((part) => (/["/]/.test(part) ? JSON.stringify(part) : part)).join('/')
}

const DIGEST_LENGTH = 16

/** Marks a secret: its digest is compared, and never shown. */
export class SecretDigest {
  readonly digest: string
  constructor(digest: string) {
    this.digest = digest.slice(0, DIGEST_LENGTH)
  }
  toJSON(): string {
    return `secret:${this.digest}`
  }
}
