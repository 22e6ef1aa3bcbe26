import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { groupedWrites } from '../db/grouped-writes.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import type { ObjectPlace } from '../stored-objects.ts'
import { type Content, type JsonObject, openContent, sealContent } from './content.ts'
import { withoutMedia } from './media.ts'
import {
  hashOf,
  indexItems,
  ownedBy,
  placeOf,
  RESPONSE_COLUMNS,
  type ResponseOwner,
  type ResponseRow,
  ROWS_MAX,
} from './rows.ts'
import { removeResponses, trimResponses } from './trimming.ts'

export type { JsonObject } from './content.ts'
export type { ResponseOwner } from './rows.ts'

/** JSON of one response and its input. What is longer is stored without its pictures, and not at all if it is still longer. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
/** JSON of all that one request may go on from. */
const CONTEXT_BYTES_MAX = 32 * 1024 * 1024
/** Responses that one request may go on from. */
const CHAIN_MAX = 1000
const HOUR_S = 3600
/** A response that is used again lives on. Its row is written again only when so much of its time is over. */
const RENEWED_AFTER = 0.1

export interface NewResponse {
  readonly id: string
  /** The response that it goes on from. */
  readonly previousId?: string | undefined
  readonly conversationId?: string | undefined
  /** The account of an upstream that has stored it as well. */
  readonly place?: ObjectPlace | undefined
  /** As its client receives it, output included; absent for items that a client adds to a conversation. */
  readonly response?: JsonObject
  /** What the client sent with this request alone. */
  readonly input: readonly JsonObject[]
  /** Rows that it goes on from, which live on. */
  readonly uses?: readonly number[]
  /** The process that makes it in the background. */
  readonly nodeId?: string
}

export interface StoredResponse extends Content {
  readonly rowId: number
  readonly place: ObjectPlace | undefined
  readonly createdAt: number
  /** The process that makes it in the background; empty once it has ended. */
  readonly nodeId: string
}

/** An item, and the row that holds it. */
export interface StoredItem {
  readonly item: JsonObject
  readonly row: StoredResponse
}

/** The responses that clients may go on from, for a while, by user and token. Each process of the gateway has all of them. */
export interface ResponseStore {
  /** Whether anything is stored at all. */
  isOn(): boolean
  /**
   * Stores a response. Resolves when it is committed, together with others that arrive meanwhile; false if it is too large even
   * without its pictures. Throws errors of the database.
   */
  add(owner: ResponseOwner, response: NewResponse): Promise<boolean>
  /** Replaces a response that was made in the background; false if it was deleted meanwhile. */
  finish(owner: ResponseOwner, response: NewResponse & { nodeId: string }): Promise<boolean>
  /** Whether a response that this process makes in the background is still wanted: neither cancelled nor deleted. */
  isWanted(owner: ResponseOwner, id: string, nodeId: string): Promise<boolean>
  /** Whether a process that makes responses in the background is there. */
  isRunning(nodeId: string): Promise<boolean>
  /** Undefined: this owner has none by that id. Throws DATABASE_UNAVAILABLE, like all that reads. */
  find(owner: ResponseOwner, id: string): Promise<StoredResponse | undefined>
  /** The response and all that it goes on from, the oldest first; undefined if one of them is missing. Throws CONTEXT_TOO_LONG. */
  findChain(owner: ResponseOwner, id: string): Promise<StoredResponse[] | undefined>
  /** Items by their ids; those that are missing are left out. Throws CONTEXT_TOO_LONG. */
  findItems(owner: ResponseOwner, ids: readonly string[]): Promise<Map<string, StoredItem>>
  /** All of a conversation, the oldest first. Throws CONTEXT_TOO_LONG. */
  findConversation(owner: ResponseOwner, conversationId: string): Promise<StoredResponse[]>
  /**
   * Changes what a row holds, in one transaction; `change` returns undefined to leave it. What was changed is
   * not made in the background any more. Returns the row as it is then; undefined: there is none.
   */
  edit(
    owner: ResponseOwner,
    id: string | { rowId: number },
    change: (content: Content, row: { nodeId: string }) => Content | undefined,
  ): Promise<StoredResponse | undefined>
  /** Whether there was one. */
  delete(owner: ResponseOwner, id: string): Promise<boolean>
  /** Removes what has expired, and the oldest of users who have more than they may. Returns how many. */
  trim(): Promise<number>
}

interface Packed {
  owner: ResponseOwner
  row: Omit<ResponseRow, 'id'>
  items: readonly JsonObject[]
  uses: readonly number[]
}

export function createResponseStore({
  db,
  secrets,
  options,
  now,
}: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  options: Pick<Options, 'get'>
  now: () => number
}): ResponseStore {
  const keptS = () => options.get(OPTIONS.ResponseStoreHours) * HOUR_S
  const write = groupedWrites<Packed>((batch) =>
    db.transaction(async (trx) => {
      for (const packed of batch) await insert(trx, packed)
    }),
  )

  async function insert(trx: Knex.Transaction, { owner, row, items, uses }: Packed): Promise<void> {
    // A response stays as it was made, even if another upstream claims its id.
    const [inserted] = await trx('stored_responses')
      .insert({ ...ownedBy(owner), ...row })
      .onConflict(['user_id', 'token_id', 'id_hash'])
      .ignore()
      .returning('id')
    if (inserted) await indexItems(trx, owner, { rowId: Number(inserted.id), items })
    for (let at = 0; at < uses.length; at += ROWS_MAX) {
      await trx('stored_responses')
        .whereIn('id', uses.slice(at, at + ROWS_MAX))
        .where('expires_at', '<', row.expires_at - keptS() * RENEWED_AFTER)
        .update({ expires_at: row.expires_at })
    }
  }

  /** The JSON to store, without pictures where it is too long; undefined: still too long. */
  function fitting(content: Content): { json: string; content: Content } | undefined {
    const json = JSON.stringify(content)
    if (json.length <= RESPONSE_BYTES_MAX) return { json, content }
    const lighter = withoutMedia(content)
    const shorter = JSON.stringify(lighter)
    return shorter.length <= RESPONSE_BYTES_MAX ? { json: shorter, content: lighter } : undefined
  }

  async function packed(owner: ResponseOwner, added: NewResponse): Promise<Packed | undefined> {
    const { id, previousId, conversationId, place, response, input, uses = [], nodeId = '' } = added
    const fits = fitting({ ...(response && { response }), input, omitted: [] })
    if (!fits) return undefined
    const row = {
      id_hash: hashOf(id),
      previous_hash: previousId === undefined ? null : hashOf(previousId),
      conversation_hash: conversationId === undefined ? null : hashOf(conversationId),
      channel_id: place?.channelId ?? 0,
      key_digest: place?.keyDigest ?? '',
      node_id: nodeId,
      bytes: fits.json.length,
      created_at: now(),
      expires_at: now() + keptS(),
      content: await sealContent(secrets, fits.json),
    }
    // Items that a client adds to a conversation have ids too.
    const items = response ? (response.output as JsonObject[] | undefined) : fits.content.input
    return { owner, row, items: Array.isArray(items) ? items : [], uses }
  }

  async function opened(row: ResponseRow): Promise<StoredResponse> {
    const content = await openContent<Content>(secrets, row.content)
    return {
      ...content,
      rowId: Number(row.id),
      place: placeOf(row),
      createdAt: Number(row.created_at),
      nodeId: row.node_id,
    }
  }

  async function openedAll(rows: readonly ResponseRow[]): Promise<StoredResponse[]> {
    const all: StoredResponse[] = []
    for (const row of rows) all.push(await opened(row))
    return all
  }

  const live = (owner: ResponseOwner) =>
    db.reader('stored_responses').where(ownedBy(owner)).where('stored_responses.expires_at', '>', now())

  /** Rows by number, in that order. Throws CONTEXT_TOO_LONG before any content is read. */
  async function rowsOf(owner: ResponseOwner, found: readonly { id: number; bytes: number }[]): Promise<ResponseRow[]> {
    const bytes = found.reduce((sum, row) => sum + Number(row.bytes), 0)
    if (bytes > CONTEXT_BYTES_MAX) throw contextTooLong()
    const rows = new Map<number, ResponseRow>()
    for (let at = 0; at < found.length; at += ROWS_MAX) {
      const ids = found.slice(at, at + ROWS_MAX).map(({ id }) => id)
      const read: ResponseRow[] = await live(owner).whereIn('id', ids).select(RESPONSE_COLUMNS)
      for (const row of read) rows.set(Number(row.id), row)
    }
    return found.flatMap(({ id }) => rows.get(Number(id)) ?? [])
  }

  async function chainOf(owner: ResponseOwner, id: string): Promise<StoredResponse[] | undefined> {
    const { user_id, token_id } = ownedBy(owner)
    const found: { id: number; bytes: number; previous_hash: string | null }[] = await db.reader
      .withRecursive('chain', ['id', 'bytes', 'previous_hash', 'depth'], (query) =>
        query
          .select('id', 'bytes', 'previous_hash', db.reader.raw('1'))
          .from('stored_responses')
          .where({ user_id, token_id, id_hash: hashOf(id), node_id: '' })
          .where('expires_at', '>', now())
          .unionAll((older) =>
            older
              .select('r.id', 'r.bytes', 'r.previous_hash', db.reader.raw('chain.depth + 1'))
              .from('stored_responses as r')
              .join('chain', 'r.id_hash', 'chain.previous_hash')
              .where({ 'r.user_id': user_id, 'r.token_id': token_id })
              .where('r.expires_at', '>', now())
              .where('chain.depth', '<=', CHAIN_MAX),
          ),
      )
      .from('chain')
      .orderBy('depth', 'desc')
      .select('id', 'bytes', 'previous_hash')
    if (found.length > CHAIN_MAX) throw contextTooLong()
    // The oldest goes on from something that is gone.
    if (found.length === 0 || found[0]?.previous_hash) return undefined
    const rows = await rowsOf(owner, found)
    return rows.length === found.length ? openedAll(rows) : undefined
  }

  async function itemsOf(owner: ResponseOwner, ids: readonly string[]): Promise<Map<string, StoredItem>> {
    const rowOf = new Map<string, number>()
    for (let at = 0; at < ids.length; at += ROWS_MAX) {
      const hashes = ids.slice(at, at + ROWS_MAX).map(hashOf)
      const read: { id_hash: string; response_id: number }[] = await db
        .reader('stored_response_items')
        .where(ownedBy(owner))
        .whereIn('id_hash', hashes)
        .select('id_hash', 'response_id')
      for (const { id_hash, response_id } of read) rowOf.set(id_hash, Number(response_id))
    }
    const numbers = [...new Set(rowOf.values())]
    const sizes: { id: number; bytes: number }[] = []
    for (let at = 0; at < numbers.length; at += ROWS_MAX) {
      sizes.push(
        ...(await live(owner)
          .whereIn('id', numbers.slice(at, at + ROWS_MAX))
          .select('id', 'bytes')),
      )
    }
    const rows = await openedAll(await rowsOf(owner, sizes))
    const found = new Map<string, StoredItem>()
    for (const row of rows) {
      for (const item of [...row.input, ...outputOf(row)]) {
        if (typeof item.id === 'string') found.set(item.id, { item, row })
      }
    }
    return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as StoredItem]] : [])))
  }

  return {
    isOn: () => keptS() > 0,
    async add(owner, response) {
      const row = await packed(owner, response)
      if (row) await withinDatabaseWait(write(row))
      return row !== undefined
    },
    async finish(owner, response) {
      const { nodeId, ...ended } = response
      const made = await packed(owner, ended)
      if (!made) return false
      const { content, bytes, channel_id, key_digest, node_id, expires_at } = made.row
      return db.transaction(async (trx) => {
        const updated: { id: number }[] = await trx('stored_responses')
          .where({ ...ownedBy(owner), id_hash: made.row.id_hash, node_id: nodeId })
          .update({ content, bytes, channel_id, key_digest, node_id, expires_at })
          .returning('id')
        const [row] = updated
        if (row) await indexItems(trx, owner, { rowId: Number(row.id), items: made.items })
        return row !== undefined
      })
    },
    async isWanted(owner, id, nodeId) {
      return (
        (await live(owner)
          .where({ id_hash: hashOf(id), node_id: nodeId })
          .first('id')) !== undefined
      )
    },
    isRunning: async (nodeId) => (await db.reader('nodes').where({ id: nodeId }).first('id')) !== undefined,
    async find(owner, id) {
      const row: ResponseRow | undefined = await withinDatabaseWait(
        live(owner)
          .where({ id_hash: hashOf(id) })
          .first(RESPONSE_COLUMNS),
      )
      return row && opened(row)
    },
    findChain: (owner, id) => withinDatabaseWait(chainOf(owner, id)),
    findItems: (owner, ids) => withinDatabaseWait(itemsOf(owner, ids)),
    async findConversation(owner, conversationId) {
      const found: { id: number; bytes: number }[] = await withinDatabaseWait(
        live(owner)
          .where({ conversation_hash: hashOf(conversationId), node_id: '' })
          .orderBy('id')
          .limit(CHAIN_MAX + 1)
          .select('id', 'bytes'),
      )
      if (found.length > CHAIN_MAX) throw contextTooLong()
      return openedAll(await rowsOf(owner, found))
    },
    edit: (owner, id, change) =>
      db.transaction(async (trx) => {
        const place = typeof id === 'string' ? { id_hash: hashOf(id) } : { id: id.rowId }
        const row: ResponseRow | undefined = await trx('stored_responses')
          .where({ ...ownedBy(owner), ...place })
          .where('expires_at', '>', now())
          .forUpdate()
          .first(RESPONSE_COLUMNS)
        if (!row) return undefined
        const before = await opened(row)
        const { response, input, omitted } = before
        const after = change({ ...(response && { response }), input, omitted }, before)
        if (!after) return before
        const json = JSON.stringify(after)
        const changes = { content: await sealContent(secrets, json), bytes: json.length, node_id: '' }
        await trx('stored_responses').where({ id: row.id }).update(changes)
        return { ...before, ...after, nodeId: '' }
      }),
    delete: (owner, id) =>
      db.transaction(async (trx) => {
        const row = await trx('stored_responses')
          .where({ ...ownedBy(owner), id_hash: hashOf(id) })
          .first('id')
        if (row) await removeResponses(trx, [row.id])
        return row !== undefined
      }),
    trim: () => trimResponses(db, { now: now(), bytesMax: options.get(OPTIONS.ResponseStoreMegabytes) * 1024 * 1024 }),
  }
}

/** The items that a response has said. */
export function outputOf({ response }: Pick<Content, 'response'>): JsonObject[] {
  return Array.isArray(response?.output) ? (response.output as JsonObject[]) : []
}

function contextTooLong(): GatewayError {
  return new GatewayError('CONTEXT_TOO_LONG', { megabytes: CONTEXT_BYTES_MAX / 1024 / 1024, responses: CHAIN_MAX })
}
