import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { ObjectOwner } from './batches/rows.ts'
import type { Database } from './db/database.ts'
import { inShortBatches } from './db/short-batches.ts'
import { withinDatabaseWait } from './db/unavailable.ts'

/** Upstreams keep responses for 30 days; other unused objects do not live longer. */
const KEPT_S = 30 * 24 * 3600
const AGAIN_MS = 5000
/** SQLite limits the number of bound values in a statement. */
const ROWS_MAX = 100
/** Maximum of objects waiting while the database is unavailable. Further ones are dropped, and their owners must create them again. */
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

/** An object in an upstream account, with the id that clients use. */
export interface StoredObject {
  readonly kind: ObjectKind
  readonly id: string
}

/** An object created by a reply. */
export interface CreatedObject extends StoredObject {
  /** Maximum of tokens that the object adds to a prompt; undefined: unknown. */
  readonly tokens?: number | undefined
}

/** The account that holds an object. */
export interface ObjectPlace {
  readonly channelId: number
  /** Digest of the channel's key, if it has several; else empty. */
  readonly keyDigest: string
}

/** An object's account, and its length in a prompt. */
export interface FoundObject extends ObjectPlace {
  readonly tokens: number | undefined
}

/** Objects that requests created at upstreams. All users of a channel share its account there, so only the creator may use them. */
export interface StoredObjects {
  /**
   * Stores the objects that a user's request created. Resolves at the commit, which includes objects of concurrent requests. Throws
   * database errors.
   */
  add(owner: ObjectOwner, place: ObjectPlace, objects: readonly CreatedObject[]): Promise<void>
  /** Returns where an owner's objects are, in their order; undefined: the owner has none by that id. Throws DATABASE_UNAVAILABLE. */
  find(owner: ObjectOwner, objects: readonly StoredObject[]): Promise<(FoundObject | undefined)[]>
  /** Forgets objects of an owner: none of the owner's requests can name them any more. */
  forget(owner: ObjectOwner, objects: readonly StoredObject[]): Promise<void>
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

  /** Writes all waiting rows. Rows that arrive meanwhile form the next batch. */
  async function writeAll(): Promise<void> {
    // Collects the rows of one turn of the event loop.
    await new Promise(setImmediate)
    const rows = waiting
    waiting = []
    writing = undefined
    try {
      await write(rows)
    } catch (error) {
      // Retried later; until then the owner cannot use the objects.
      waiting.unshift(...rows)
      setTimeout(() => {
        writing ??= writeAll().catch(() => {})
      }, AGAIN_MS).unref()
      throw error
    }
  }

  async function write(rows: readonly Row[]): Promise<void> {
    const distinct = [...new Map(rows.map((row) => [`${row.user_id} ${row.kind} ${row.id_hash}`, row])).values()]
    // In a fixed order, so that two processes cannot deadlock.
    distinct.sort((a, b) => a.user_id - b.user_id || (a.kind + a.id_hash < b.kind + b.id_hash ? -1 : 1))
    await db.transaction(async (trx) => {
      for (let at = 0; at < distinct.length; at += ROWS_MAX) await insert(trx, distinct.slice(at, at + ROWS_MAX))
    })
  }

  return {
    async add(owner, { channelId, keyDigest }, objects) {
      if (objects.length === 0 || waiting.length > WAITING_MAX) return
      const created = { user_id: owner.userId, channel_id: channelId, key_digest: keyDigest, created_at: now() }
      for (const { kind, id, tokens = null } of objects) {
        waiting.push({ ...created, kind, id_hash: hashOf(owner, id), tokens, expires_at: now() + KEPT_S })
      }
      writing ??= writeAll()
      await writing
    },
    async find(owner, objects) {
      const keys = objects.map(({ kind, id }) => ({ kind, id_hash: hashOf(owner, id) }))
      const places = new Map<string, FoundObject>()
      for (let at = 0; at < keys.length; at += ROWS_MAX) {
        const hashes = keys.slice(at, at + ROWS_MAX).map(({ id_hash }) => id_hash)
        const rows: Omit<Row, 'user_id' | 'created_at' | 'expires_at'>[] = await withinDatabaseWait(
          db
            .reader('stored_objects')
            .where({ user_id: owner.userId })
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
    async forget(owner, objects) {
      for (let at = 0; at < objects.length; at += ROWS_MAX) {
        const hashes = objects.slice(at, at + ROWS_MAX).map(({ id }) => hashOf(owner, id))
        const kinds = [...new Set(objects.map(({ kind }) => kind))]
        await db.transaction((trx) =>
          trx('stored_objects')
            .where({ user_id: owner.userId })
            .whereIn('kind', kinds)
            .whereIn('id_hash', hashes)
            .delete(),
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

/** Reuse extends an object's lifetime. Its account stays the one that created it, even if another upstream claims the id. */
async function insert(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
  await trx('stored_objects').insert(rows).onConflict(['user_id', 'kind', 'id_hash']).merge(['expires_at'])
}

/** Members of a team share its account: what one of them has created, another has by no id. */
function hashOf({ memberId }: ObjectOwner, id: string): string {
  return createHash('sha256')
    .update(memberId === 0 ? id : `${memberId} ${id}`)
    .digest('hex')
}
