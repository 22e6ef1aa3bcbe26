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

/** JSON of one response and its input. Longer content is stored without images, or not at all if it is still too long. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
/** JSON of all responses that one request may continue. */
const CONTEXT_BYTES_MAX = 32 * 1024 * 1024
/** Responses that one request may continue. */
const CHAIN_MAX = 1000
const HOUR_S = 3600
/** Using a response extends its life. Its row is updated only after this part of its time. */
const RENEWED_AFTER = 0.1

export interface NewResponse {
  readonly id: string
  /** The response that it continues. */
  readonly previousId?: string | undefined
  readonly conversationId?: string | undefined
  /** The upstream account that has stored it too. */
  readonly place?: ObjectPlace | undefined
  /** As sent to the client, including output; absent for items that a client adds to a conversation. */
  readonly response?: JsonObject
  /** The input of this request alone. */
  readonly input: readonly JsonObject[]
  /** Rows that it continues; their life is extended. */
  readonly uses?: readonly number[]
  /** The process that generates it in the background. */
  readonly nodeId?: string
}

export interface StoredResponse extends Content {
  readonly rowId: number
  readonly place: ObjectPlace | undefined
  readonly createdAt: number
  /** The process that generates it in the background; empty once that has ended. */
  readonly nodeId: string
}

export interface StoredItem {
  readonly item: JsonObject
  readonly row: StoredResponse
}

/** Responses that clients may continue, stored for a limited time, by user and token. All gateway processes share them. */
export interface ResponseStore {
  /** Whether storing is enabled. */
  isOn(): boolean
  /**
   * Stores a response. Resolves when it is committed, together with others that arrive meanwhile; false if it is too large even
   * without its images. Throws errors of the database.
   */
  add(owner: ResponseOwner, response: NewResponse): Promise<boolean>
  /** Replaces a background response; false if it was deleted meanwhile. */
  finish(owner: ResponseOwner, response: NewResponse & { nodeId: string }): Promise<boolean>
  /** Whether a background response of this process is neither canceled nor deleted. */
  isWanted(owner: ResponseOwner, id: string, nodeId: string): Promise<boolean>
  /** Whether a process that generates background responses is alive. */
  isRunning(nodeId: string): Promise<boolean>
  /** Returns undefined if this owner has no such response. Throws DATABASE_UNAVAILABLE, like all reads. */
  find(owner: ResponseOwner, id: string): Promise<StoredResponse | undefined>
  /**
   * Returns the response and all that it continues, the oldest first; undefined if one of them is missing. Throws
   * CONTEXT_TOO_LONG.
   */
  findChain(owner: ResponseOwner, id: string): Promise<StoredResponse[] | undefined>
  /** Returns items by their ids, without missing ones. Throws CONTEXT_TOO_LONG. */
  findItems(owner: ResponseOwner, ids: readonly string[]): Promise<Map<string, StoredItem>>
  /** Returns all rows of a conversation, the oldest first. Throws CONTEXT_TOO_LONG. */
  findConversation(owner: ResponseOwner, conversationId: string): Promise<StoredResponse[]>
  /**
   * Changes the content of a row in one transaction, unless `change` returns undefined. A changed row is no longer generated in
   * the background. Returns the resulting row; undefined if it is missing.
   */
  edit(
    owner: ResponseOwner,
    id: string | { rowId: number },
    change: (content: Content, row: { nodeId: string }) => Content | undefined,
  ): Promise<StoredResponse | undefined>
  /** Returns whether it existed. */
  delete(owner: ResponseOwner, id: string): Promise<boolean>
  /** Removes expired responses, and the oldest of users who store more than allowed. Returns how many. */
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
    // A response never changes, even if another upstream uses its id.
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

  /** Returns the JSON to store, without images if it is too long; undefined if it is still too long. */
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

  /** Returns rows by id, in the given order. Throws CONTEXT_TOO_LONG before it reads any content. */
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
    // The oldest response continues one that is missing.
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

/** Returns a response's output items. */
export function outputOf({ response }: Pick<Content, 'response'>): JsonObject[] {
  return Array.isArray(response?.output) ? (response.output as JsonObject[]) : []
}

function contextTooLong(): GatewayError {
  return new GatewayError('CONTEXT_TOO_LONG', { megabytes: CONTEXT_BYTES_MAX / 1024 / 1024, responses: CHAIN_MAX })
}
