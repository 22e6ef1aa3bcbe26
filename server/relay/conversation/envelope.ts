import { randomUUID } from 'node:crypto'
import { isObject, type Json, objectOf, parseObject, textOf } from '../json.ts'

/*
 * Thoughts for Responses clients: items with an id, a summary, and the opaque field `encrypted_content`. Clients send the field
 * back in the next turn. The gateway decodes content that it encoded; an upstream could not read that content.
 */

/** The data that a client must send back, so that an upstream accepts earlier output of its model. */
export interface Signed {
  /** The signature of the thought in the same item. */
  readonly signature?: string
  /** The whole thought, encrypted. */
  readonly redacted?: string
  /** Signatures of the calls after the thought, by call id. */
  readonly calls?: Readonly<Record<string, string>>
  /** In a compaction item, a model's summary of the conversation before the item. */
  readonly summary?: string
}

const VERSION = 1

/** Encodes signatures as the `encrypted_content` of a reasoning item: base64 of versioned JSON. */
export function encodeSignatures(signed: Signed): string {
  return Buffer.from(JSON.stringify({ tollgate: VERSION, ...signed })).toString('base64')
}

/** Decodes content that `encodeSignatures` wrote. Returns undefined for content of another service or version. */
export function decodeSignatures(encrypted: unknown): Signed | undefined {
  const text = textOf(encrypted)
  const decoded = text === undefined ? undefined : parseObject(Buffer.from(text, 'base64').toString('utf8'))
  if (decoded?.tollgate !== VERSION) return undefined
  const signature = textOf(decoded.signature)
  const redacted = textOf(decoded.redacted)
  const summary = textOf(decoded.summary)
  const calls = Object.entries(objectOf(decoded.calls)).filter((entry): entry is [string, string] => !!textOf(entry[1]))
  return {
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
    ...(summary !== undefined && { summary }),
    ...(isObject(decoded.calls) && { calls: Object.fromEntries(calls) }),
  }
}

/** Returns an id for an item that the gateway creates: the hex digits of a random UUID, shorter than OpenAI's ids. */
export function newItemId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

/** Returns the text of a compacted conversation; undefined if another service encrypted it. */
export function summaryIn({ encrypted_content }: Readonly<Json>): string | undefined {
  const summary = decodeSignatures(encrypted_content)?.summary
  return summary && `Summary of the conversation so far:\n\n${summary}`
}

const OWN_THOUGHT_ID = /^rs_[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/

/** Whether the gateway created a reasoning item. No upstream recognizes the id of such an item. */
export function isOwnThought({ id, encrypted_content }: Json): boolean {
  return OWN_THOUGHT_ID.test(textOf(id) ?? '') || decodeSignatures(encrypted_content) !== undefined
}
