import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { groupedWrites } from '../db/grouped-writes.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { GatewayError } from '../errors.ts'
import { inParts } from '../in-parts.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import type { ObjectPlace } from '../stored-objects.ts'
import { type JsonObject, openContent, type ResponseContent, sealContent } from './content.ts'
import { withoutMedia } from './media.ts'
import {
  idHashOf,
  indexItems,
  ownedBy,
  RESPONSE_COLUMNS,
  type ResponseOwner,
  type ResponseRow,
  ROWS_MAX,
  responsePlaceOf,
} from './rows.ts'
import { removeResponses, trimResponses } from './trimming.ts'

export type { JsonObject } from './content.ts'
export type { ResponseOwner } from './rows.ts'

/**
 * Maximum bytes of the JSON of one response and its input, in UTF-8. Larger content is stored without images,
 * recordings and files, or not at all if it is still too large.
 */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024
/** Bytes that a running background response must leave free for its final status and error. */
const END_BYTES = 1024
/** Maximum bytes of the JSON of all responses that one request continues, in UTF-8. */
const CONTEXT_BYTES_MAX = 32 * 1024 * 1024
/** Maximum number of responses that a request continues. */
const CHAIN_MAX = 1000
const HOUR_S = 3600
/**
 * A request that continues a response postpones the response's expiry. To save writes, the new expiry is stored only if
 * it is later by more than this fraction of the storage time.
 */
const RENEWED_AFTER = 0.1

interface NewResponse {
  readonly id: string
  /** The id of the response that this response continues. */
  readonly previousId?: string | undefined
  readonly conversationId?: string | undefined
  /** The upstream account that also stores this response. */
  readonly place?: ObjectPlace | undefined
  /** The response as sent to the client, with its output. Absent for items that a client adds to a conversation. */
  readonly response?: JsonObject
  /** The input of this request, without the input of the responses that it continues. */
  readonly input: readonly JsonObject[]
  /** Ids of the rows that this response continues. They expire no earlier, within the tolerance RENEWED_AFTER. */
  readonly uses?: readonly number[]
  /** Id of the process that generates the response in the background. */
  readonly nodeId?: string
}

export interface StoredResponse extends ResponseContent {
  readonly rowId: number
  readonly place: ObjectPlace | undefined
  readonly createdAt: number
  /**
   * Id of the process that generates the response in the background. Empty for all other responses, including completed
   * and canceled responses. The id stays if the process dies.
   */
  readonly nodeId: string
}

interface StoredItem {
  readonly item: JsonObject
  readonly row: StoredResponse
}

/** Stores responses that clients may continue, by user and token, for a limited time. All processes share the store. */
export type ResponseStore = ReturnType<typeof createResponseStore>

interface PackedResponse {
  owner: ResponseOwner
  row: Omit<ResponseRow, 'id'>
  items: readonly JsonObject[]
  uses: readonly number[]
}

export function createResponseStore(parts: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  options: Pick<Options, 'get'>
  now: () => number
}) {
  const { db, secrets, options, now } = parts
  const storageTimeS = () => options.get(OPTIONS.ResponseStoreHours) * HOUR_S
  const write = groupedWrites<PackedResponse>((batch) =>
    db.transaction(async (trx) => {
      for (const response of batch) await insert(trx, response)
    }),
  )

  async function insert(trx: Knex.Transaction, { owner, row, items, uses }: PackedResponse): Promise<void> {
    // Another upstream may use the same id. The response that was stored first stays.
    const [inserted] = await trx('stored_responses')
      .insert({ ...ownedBy(owner), ...row })
      .onConflict(['user_id', 'token_id', 'id_hash'])
      .ignore()
      .returning('id')
    if (inserted) await indexItems(trx, owner, { rowId: Number(inserted.id), items })
    for (const part of inParts(uses, ROWS_MAX)) {
      await trx('stored_responses')
        .whereIn('id', part)
        .where('expires_at', '<', row.expires_at - storageTimeS() * RENEWED_AFTER)
        .update({ expires_at: row.expires_at })
    }
  }

  async function packResponse(owner: ResponseOwner, added: NewResponse): Promise<PackedResponse | undefined> {
    const { id, previousId, conversationId, place, response, input, uses = [], nodeId = '' } = added
    const bytesMax = nodeId === '' ? RESPONSE_BYTES_MAX : RESPONSE_BYTES_MAX - END_BYTES
    const fitted = fitContent({ ...(response && { response }), input, omitted: [] }, bytesMax)
    if (!fitted) return undefined
    const row = {
      id_hash: idHashOf(id),
      previous_hash: previousId === undefined ? null : idHashOf(previousId),
      conversation_hash: conversationId === undefined ? null : idHashOf(conversationId),
      channel_id: place?.channelId ?? 0,
      key_digest: place?.keyDigest ?? '',
      node_id: nodeId,
      bytes: fitted.bytes,
      created_at: now(),
      expires_at: now() + storageTimeS(),
      content: await sealContent(secrets, fitted.json),
    }
    // Clients may refer to items that they added to a conversation, so these items are indexed too.
    const items = response ? response.output : fitted.content.input
    return { owner, row, items: Array.isArray(items) ? items : [], uses }
  }

  async function openRow(row: ResponseRow): Promise<StoredResponse> {
    const content = await openContent<ResponseContent>(secrets, row.content)
    return {
      ...content,
      rowId: Number(row.id),
      place: responsePlaceOf(row),
      createdAt: Number(row.created_at),
      nodeId: row.node_id,
    }
  }

  async function openRows(rows: readonly ResponseRow[]): Promise<StoredResponse[]> {
    const responses: StoredResponse[] = []
    for (const row of rows) responses.push(await openRow(row))
    return responses
  }

  const unexpiredRows = (owner: ResponseOwner) =>
    db.reader('stored_responses').where(ownedBy(owner)).where('stored_responses.expires_at', '>', now())

  /** Returns rows with their content, in the order of `sizes`. Throws CONTEXT_TOO_LONG before it reads any content. */
  async function rowsOf(owner: ResponseOwner, sizes: readonly { id: number; bytes: number }[]): Promise<ResponseRow[]> {
    const bytes = sizes.reduce((sum, row) => sum + Number(row.bytes), 0)
    if (bytes > CONTEXT_BYTES_MAX) throw contextTooLong()
    const rows = new Map<number, ResponseRow>()
    for (const part of inParts(sizes, ROWS_MAX)) {
      const ids = part.map(({ id }) => id)
      const batch: ResponseRow[] = await unexpiredRows(owner).whereIn('id', ids).select(RESPONSE_COLUMNS)
      for (const row of batch) rows.set(Number(row.id), row)
    }
    return sizes.flatMap(({ id }) => rows.get(Number(id)) ?? [])
  }

  async function chainOf(owner: ResponseOwner, id: string): Promise<StoredResponse[] | undefined> {
    const { user_id, token_id } = ownedBy(owner)
    const links: { id: number; bytes: number; previous_hash: string | null }[] = await db.reader
      .withRecursive('chain', ['id', 'bytes', 'previous_hash', 'depth'], (query) =>
        query
          .select('id', 'bytes', 'previous_hash', db.reader.raw('1'))
          .from('stored_responses')
          .where({ user_id, token_id, id_hash: idHashOf(id), node_id: '' })
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
    if (links.length > CHAIN_MAX) throw contextTooLong()
    // The oldest row names a previous response only if the previous response is missing.
    if (links.length === 0 || links[0]?.previous_hash) return undefined
    const rows = await rowsOf(owner, links)
    return rows.length === links.length ? openRows(rows) : undefined
  }

  async function itemsOf(owner: ResponseOwner, ids: readonly string[]): Promise<Map<string, StoredItem>> {
    const rowIdByItem = new Map<string, number>()
    for (const part of inParts(ids, ROWS_MAX)) {
      const hashes = part.map(idHashOf)
      const indexRows: { id_hash: string; response_id: number }[] = await db
        .reader('stored_response_items')
        .where(ownedBy(owner))
        .whereIn('id_hash', hashes)
        .select('id_hash', 'response_id')
      for (const { id_hash, response_id } of indexRows) rowIdByItem.set(id_hash, Number(response_id))
    }
    const rowIds = [...new Set(rowIdByItem.values())]
    const sizes: { id: number; bytes: number }[] = []
    for (const part of inParts(rowIds, ROWS_MAX)) {
      sizes.push(...(await unexpiredRows(owner).whereIn('id', part).select('id', 'bytes')))
    }
    const rows = await openRows(await rowsOf(owner, sizes))
    const items = new Map<string, StoredItem>()
    for (const row of rows) {
      for (const item of [...row.input, ...outputOf(row)]) {
        if (typeof item.id === 'string') items.set(item.id, { item, row })
      }
    }
    const wanted = new Set(ids)
    return new Map([...items].filter(([id]) => wanted.has(id)))
  }

  return {
    /** Returns whether responses are stored. They are if the option ResponseStoreHours is above 0. */
    isOn: (): boolean => storageTimeS() > 0,
    /**
     * Stores a response, unless a row with its id exists. Resolves after the commit, which can include other responses.
     * Throws errors of the database.
     *
     * Returns false and stores nothing if the response is too large even without images, recordings and files.
     */
    async add(owner: ResponseOwner, response: NewResponse): Promise<boolean> {
      const row = await packResponse(owner, response)
      if (row) await withinDatabaseWait(write(row))
      return row !== undefined
    },
    /**
     * Replaces the content of a background response and ends its generation. Returns false if the new content is too
     * large, or if the response is missing or canceled. `nodeId` must be the process that generates the response.
     */
    async finish(owner: ResponseOwner, response: NewResponse & { nodeId: string }): Promise<boolean> {
      const { nodeId, ...ended } = response
      const packed = await packResponse(owner, ended)
      if (!packed) return false
      const { content, bytes, channel_id, key_digest, node_id, expires_at } = packed.row
      return db.transaction(async (trx) => {
        const updated: { id: number }[] = await trx('stored_responses')
          .where({ ...ownedBy(owner), id_hash: packed.row.id_hash, node_id: nodeId })
          .update({ content, bytes, channel_id, key_digest, node_id, expires_at })
          .returning('id')
        const [row] = updated
        if (row) await indexItems(trx, owner, { rowId: Number(row.id), items: packed.items })
        return row !== undefined
      })
    },
    /** Returns whether a response still must be generated. It may be finished, canceled, deleted or expired. */
    async mustContinue(owner: ResponseOwner, id: string, nodeId: string): Promise<boolean> {
      const generated = { id_hash: idHashOf(id), node_id: nodeId }
      return (await unexpiredRows(owner).where(generated).first('id')) !== undefined
    },
    /** Returns whether a process is registered. Processes that ended or were declared dead are not registered. */
    isRunning: async (nodeId: string): Promise<boolean> =>
      (await db.reader('nodes').where({ id: nodeId }).first('id')) !== undefined,
    /** Returns a response, or undefined if this owner has no such unexpired response. Throws DATABASE_UNAVAILABLE. */
    async find(owner: ResponseOwner, id: string): Promise<StoredResponse | undefined> {
      const row: ResponseRow | undefined = await withinDatabaseWait(
        unexpiredRows(owner)
          .where({ id_hash: idHashOf(id) })
          .first(RESPONSE_COLUMNS),
      )
      return row && openRow(row)
    },
    /**
     * Returns a response and all responses that it continues, the oldest first. Returns undefined if the response is
     * still being generated, or if one of them is missing or expired. Throws CONTEXT_TOO_LONG and DATABASE_UNAVAILABLE.
     */
    findChain: (owner: ResponseOwner, id: string): Promise<StoredResponse[] | undefined> =>
      withinDatabaseWait(chainOf(owner, id)),
    /** Returns unexpired items by their ids. Throws CONTEXT_TOO_LONG and DATABASE_UNAVAILABLE. */
    findItems: (owner: ResponseOwner, ids: readonly string[]): Promise<Map<string, StoredItem>> =>
      withinDatabaseWait(itemsOf(owner, ids)),
    /** Returns the finished rows of a conversation, oldest first. Throws CONTEXT_TOO_LONG, DATABASE_UNAVAILABLE. */
    async findConversation(owner: ResponseOwner, conversationId: string): Promise<StoredResponse[]> {
      const sizes: { id: number; bytes: number }[] = await withinDatabaseWait(
        unexpiredRows(owner)
          .where({ conversation_hash: idHashOf(conversationId), node_id: '' })
          .orderBy('id')
          .limit(CHAIN_MAX + 1)
          .select('id', 'bytes'),
      )
      if (sizes.length > CHAIN_MAX) throw contextTooLong()
      return openRows(await withinDatabaseWait(rowsOf(owner, sizes)))
    },
    /**
     * Changes the content of a row in one transaction, unless `change` returns undefined. Also ends the generation in
     * the background. Returns the resulting row, or undefined if the row is missing or expired. Throws errors of the
     * database.
     */
    edit: (
      owner: ResponseOwner,
      id: string | { rowId: number },
      change: (content: ResponseContent, row: { nodeId: string }) => ResponseContent | undefined,
    ): Promise<StoredResponse | undefined> =>
      db.transaction(async (trx) => {
        const condition = typeof id === 'string' ? { id_hash: idHashOf(id) } : { id: id.rowId }
        const row: ResponseRow | undefined = await trx('stored_responses')
          .where({ ...ownedBy(owner), ...condition })
          .where('expires_at', '>', now())
          .forUpdate()
          .first(RESPONSE_COLUMNS)
        if (!row) return undefined
        const before = await openRow(row)
        const { response, input, omitted } = before
        const after = change({ ...(response && { response }), input, omitted }, before)
        if (!after) return before
        const fitted = fitContent(after, RESPONSE_BYTES_MAX)
        if (!fitted) throw new GatewayError('REQUEST_TOO_LARGE', { max: RESPONSE_BYTES_MAX })
        const changes = { content: await sealContent(secrets, fitted.json), bytes: fitted.bytes, node_id: '' }
        await trx('stored_responses').where({ id: row.id }).update(changes)
        return { ...before, ...fitted.content, nodeId: '' }
      }),
    /** Deletes a response. Returns whether it existed. */
    delete: (owner: ResponseOwner, id: string): Promise<boolean> =>
      db.transaction(async (trx) => {
        const row = await trx('stored_responses')
          .where({ ...ownedBy(owner), id_hash: idHashOf(id) })
          .first('id')
        if (row) await removeResponses(trx, [row.id])
        return row !== undefined
      }),
    /**
     * Deletes expired responses. Also deletes the oldest responses of each user who exceeds the option
     * ResponseStoreMegabytes. Returns the number of deleted responses.
     */
    trim: (): Promise<number> =>
      trimResponses(db, { now: now(), bytesMax: options.get(OPTIONS.ResponseStoreMegabytes) * 1024 * 1024 }),
  }
}

/** Returns the JSON to store, without images, recordings and files if it is too large. Undefined if it still is. */
function fitContent(
  content: ResponseContent,
  bytesMax: number,
): { json: string; bytes: number; content: ResponseContent } | undefined {
  for (const candidate of [() => content, () => withoutMedia(content)]) {
    const smaller = candidate()
    const json = JSON.stringify(smaller)
    const bytes = Buffer.byteLength(json)
    if (bytes <= bytesMax) return { json, bytes, content: smaller }
  }
  return undefined
}

/** Returns a response's output items. */
export function outputOf({ response }: Pick<ResponseContent, 'response'>): JsonObject[] {
  return Array.isArray(response?.output) ? response.output : []
}

function contextTooLong(): GatewayError {
  return new GatewayError('CONTEXT_TOO_LONG', { megabytes: CONTEXT_BYTES_MAX / 1024 / 1024, responses: CHAIN_MAX })
}
