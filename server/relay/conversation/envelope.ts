import { randomUUID } from 'node:crypto'
import { isObject, type Json, objectOf, parseObject, textOf } from '../json.ts'

/*
 * Thoughts as Responses clients carry them: items with an id, a summary, and a field for the next turn, which they keep
 * without looking into it. What we hand out there comes back to us, or to an upstream that cannot read it.
 */

/** What a client must send back so that an upstream recognises what its model said. */
export interface Signed {
  /** Of the thought in the same item. */
  readonly signature?: string
  /** The whole thought, encrypted. */
  readonly redacted?: string
  /** Of calls after it, by call id. */
  readonly calls?: Readonly<Record<string, string>>
  /** What a model wrote of the conversation before it, in a compaction item. */
  readonly summary?: string
}

const VERSION = 1

/** Signatures as the `encrypted_content` of a reasoning item: base64 of JSON with a version of its own. */
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
  const summary = textOf(found.summary)
  const calls = Object.entries(objectOf(found.calls)).filter((entry): entry is [string, string] => !!textOf(entry[1]))
  return {
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
    ...(summary !== undefined && { summary }),
    ...(isObject(found.calls) && { calls: Object.fromEntries(calls) }),
  }
}

/** The id of an item that we make: the digits of a random UUID, which is shorter than what OpenAI makes. */
export function newItemId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

/** The text that stands for a compacted conversation; undefined for one that another service has encrypted. */
export function summaryIn({ encrypted_content }: Readonly<Json>): string | undefined {
  const summary = unsealed(encrypted_content)?.summary
  return summary && `Summary of the conversation so far:\n\n${summary}`
}

const OWN_THOUGHT_ID = /^rs_[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/

/** Whether a reasoning item was made here: no upstream knows its id. */
export function isOwnThought({ id, encrypted_content }: Json): boolean {
  return OWN_THOUGHT_ID.test(textOf(id) ?? '') || unsealed(encrypted_content) !== undefined
}
