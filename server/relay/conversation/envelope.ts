import { randomUUID } from 'node:crypto'
import { parseObject } from '../../../core/input.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { type Json, textOf } from '../json.ts'

/*
 * Reasoning for clients of the Responses API: an item with an id, a summary, and the opaque field `encrypted_content`.
 * Clients send the item back in the next turn. The gateway decodes the content that it encoded itself, because no
 * upstream could read such content.
 */

/** Data that a client must send back, because upstreams need it to accept earlier output of their model. */
export interface Signed {
  /** The signature of the reasoning in the same item. */
  readonly signature?: string
  /** The encrypted reasoning. */
  readonly redacted?: string
  /** Signatures of the calls that follow the reasoning, by call id. */
  readonly calls?: Readonly<Record<string, string>>
  /** The model's summary of the conversation so far. Only in a compaction item. */
  readonly summary?: string
}

const VERSION = 1

/** Encodes signatures as the `encrypted_content` of a reasoning item: base64 of versioned JSON. */
export function encodeSignatures(signed: Signed): string {
  return Buffer.from(JSON.stringify({ tollgate: VERSION, ...signed })).toString('base64')
}

/** Decodes content that `encodeSignatures` returned. Returns undefined for content of another service or version. */
export function decodeSignatures(encrypted: unknown): Signed | undefined {
  const text = textOf(encrypted)
  const decoded = text === undefined ? undefined : parseObject(Buffer.from(text, 'base64').toString('utf8'))
  if (decoded?.tollgate !== VERSION) return undefined
  const signature = textOf(decoded.signature)
  const redacted = textOf(decoded.redacted)
  const summary = textOf(decoded.summary)
  const calls = Object.entries(recordOf(decoded.calls)).filter((entry): entry is [string, string] => !!textOf(entry[1]))
  return {
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
    ...(summary !== undefined && { summary }),
    ...(isRecord(decoded.calls) && { calls: Object.fromEntries(calls) }),
  }
}

/**
 * Returns an id for an item that the gateway creates. OpenAI's ids are longer, so the length of an id shows its origin.
 */
export function newItemId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

/** Returns the text of a compaction item, or undefined if another service encrypted the item. */
export function summaryIn({ encrypted_content }: Readonly<Json>): string | undefined {
  const summary = decodeSignatures(encrypted_content)?.summary
  return summary && `Summary of the conversation so far:\n\n${summary}`
}

const GATEWAY_THOUGHT_ID = /^rs_[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/

/** Whether the gateway created a reasoning item. No upstream knows the id of such an item. */
export function isGatewayThought({ id, encrypted_content }: Json): boolean {
  return GATEWAY_THOUGHT_ID.test(textOf(id) ?? '') || decodeSignatures(encrypted_content) !== undefined
}
