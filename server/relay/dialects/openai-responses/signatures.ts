import { isObject, objectOf, parseObject, textOf } from '../../json.ts'

/** What a client must send back so that an upstream recognises what its model said. */
export interface Signed {
  /** Of the thought in the same item. */
  readonly signature?: string
  /** The whole thought, encrypted. */
  readonly redacted?: string
  /** Of calls after it, by call id. */
  readonly calls?: Readonly<Record<string, string>>
}

const VERSION = 1

/**
 * Signatures as the `encrypted_content` of a reasoning item: the one field that Responses clients keep for the next turn
 * without looking into it. Base64 of JSON with a version of its own.
 */
export function sealed(signed: Signed): string {
  return Buffer.from(JSON.stringify({ tollgate: VERSION, ...signed })).toString('base64')
}

/** What `sealed` has written; undefined for content that somebody else encrypted, and for other versions. */
export function unsealed(encrypted: unknown): Signed | undefined {
  const text = textOf(encrypted)
  const found = text === undefined ? undefined : parseObject(Buffer.from(text, 'base64').toString('utf8'))
  if (found?.tollgate !== VERSION) return undefined
  const signature = textOf(found.signature)
  const redacted = textOf(found.redacted)
  const calls = Object.entries(objectOf(found.calls)).filter((entry): entry is [string, string] => !!textOf(entry[1]))
  return {
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
    ...(isObject(found.calls) && { calls: Object.fromEntries(calls) }),
  }
}
