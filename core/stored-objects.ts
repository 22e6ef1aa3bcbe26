import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { inShortBatches } from './db/short-batches.ts'
import { withinDatabaseWait } from './db/unavailable.ts'

/** Upstreams keep responses for 30 days; nothing else lives longer without being used. */
const KEPT_S = 30 * 24 * 3600
const AGAIN_MS = 5000
/** SQLite has a limit of places for values in one statement. */
const ROWS_MAX = 100
/** What waits for a database that is away: more is dropped, and its owner must create it again. */
const WAITING_MAX = 10_000

export const OBJECT_KINDS = [
  'response',
  'message',
  'item',
  'container',
  'file',
  'audio',
  'conversation',
  'prompt',
  'cache',
  'store',
  'skill',
  'voice',
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** An object in the account of an upstream, by the id that clients know it by. */
export interface StoredObject {
  readonly kind: ObjectKind
  readonly id: string
}

/** An object as a reply created it. */
export interface CreatedObject extends StoredObject {
  /** The most tokens that it adds to the prompt of a request that names it; undefined: unknown. */
  readonly tokens?: number | undefined
}

/** Which account has an object. */
export interface ObjectPlace {
  readonly channelId: number
  /** Of the channel's key, if it has several; else empty. */
  readonly keyDigest: string
}

/** Where an object is, and how long it is in a prompt. */
export interface FoundObject extends ObjectPlace {
  readonly tokens: number | undefined
}

/** The objects that requests have created at upstreams. All users of a channel share one account there, so only the creator may name them. */
export interface StoredObjects {
  /**
   * Writes down what a user's request has created. Resolves when it is committed, together with what other requests have created
   * meanwhile. Throws errors of the database.
   */
  add(userId: number, place: ObjectPlace, objects: readonly CreatedObject[]): Promise<void>
  /** Returns where this user's objects are, in their order; undefined: the user has none by that id. Throws DATABASE_UNAVAILABLE. */
  find(userId: number, objects: readonly StoredObject[]): Promise<(FoundObject | undefined)[]>
  /** Forgets objects of a user: none of the user's requests can name them any more. */
  forget(userId: number, objects: readonly StoredObject[]): Promise<void>
  /** Removes what has expired. Returns how many. */
  trim(): Promise<number>
}

interface Row {
  user_id: number
  kind: string
  id_hash: string
  channel_id: number
  key_digest: string
  tokens: number | null
  created_at: number
  expires_at: number
}

export function createStoredObjects({ db, now }: { db: Database; now: () => number }): StoredObjects {
  let waiting: Row[] = []
  let writing: Promise<void> | undefined

  /** Writes all that waits, in batches: what comes meanwhile goes with the next. */
  async function writeAll(): Promise<void> {
    // A turn of the event loop gathers what ends at the same time.
    await new Promise(setImmediate)
    const rows = waiting
    waiting = []
    writing = undefined
    try {
      await write(rows)
    } catch (error) {
      // They are tried again: until then their owner cannot use them.
      waiting.unshift(...rows)
      setTimeout(() => {
        writing ??= writeAll().catch(() => {})
      }, AGAIN_MS).unref()
      throw error
    }
  }

  async function write(rows: readonly Row[]): Promise<void> {
    const distinct = [...new Map(rows.map((row) => [`${row.user_id} ${row.kind} ${row.id_hash}`, row])).values()]
    // In one order, so that two processes do not wait for each other.
    distinct.sort((a, b) => a.user_id - b.user_id || (a.kind + a.id_hash < b.kind + b.id_hash ? -1 : 1))
    await db.transaction(async (trx) => {
      for (let at = 0; at < distinct.length; at += ROWS_MAX) await insert(trx, distinct.slice(at, at + ROWS_MAX))
    })
  }

  return {
    async add(userId, { channelId, keyDigest }, objects) {
      if (objects.length === 0 || waiting.length > WAITING_MAX) return
      const created = { user_id: userId, channel_id: channelId, key_digest: keyDigest, created_at: now() }
      for (const { kind, id, tokens = null } of objects) {
        waiting.push({ ...created, kind, id_hash: hashOf(id), tokens, expires_at: now() + KEPT_S })
      }
      writing ??= writeAll()
      await writing
    },
    async find(userId, objects) {
      const keys = objects.map(({ kind, id }) => ({ kind, id_hash: hashOf(id) }))
      const places = new Map<string, FoundObject>()
      for (let at = 0; at < keys.length; at += ROWS_MAX) {
        const hashes = keys.slice(at, at + ROWS_MAX).map(({ id_hash }) => id_hash)
        const rows: Omit<Row, 'user_id' | 'created_at' | 'expires_at'>[] = await withinDatabaseWait(
          db
            .reader('stored_objects')
            .where({ user_id: userId })
            // All kinds, so that the primary key is used.
            .whereIn('kind', OBJECT_KINDS)
            .whereIn('id_hash', hashes)
            .where('expires_at', '>', now())
            .select('kind', 'id_hash', 'channel_id', 'key_digest', 'tokens'),
        )
        for (const { kind, id_hash, channel_id, key_digest, tokens } of rows) {
          const size = tokens === null ? undefined : Number(tokens)
          places.set(`${kind} ${id_hash}`, { channelId: channel_id, keyDigest: key_digest, tokens: size })
        }
      }
      return keys.map(({ kind, id_hash }) => places.get(`${kind} ${id_hash}`))
    },
    async forget(userId, objects) {
      for (let at = 0; at < objects.length; at += ROWS_MAX) {
        const hashes = objects.slice(at, at + ROWS_MAX).map(({ id }) => hashOf(id))
        const kinds = [...new Set(objects.map(({ kind }) => kind))]
        await db.transaction((trx) =>
          trx('stored_objects').where({ user_id: userId }).whereIn('kind', kinds).whereIn('id_hash', hashes).delete(),
        )
      }
    },
    trim: () =>
      inShortBatches((rowsMax) =>
        db.transaction((trx) =>
          trx('stored_objects')
            .whereIn(
              ['user_id', 'kind', 'id_hash'],
              trx('stored_objects')
                .where('expires_at', '<=', now())
                .limit(rowsMax)
                .select('user_id', 'kind', 'id_hash'),
            )
            .delete(),
        ),
      ),
  }
}

/** An object that is used again lives on; its place stays that of its creation, even if another upstream claims the id. */
async function insert(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
  await trx('stored_objects').insert(rows).onConflict(['user_id', 'kind', 'id_hash']).merge(['expires_at'])
}

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex')
