import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { ObjectOwner } from './batches/rows.ts'
import type { Database } from './db/database.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import { deleteExpired } from './delete-expired.ts'
import { inParts } from './in-parts.ts'
import type { Rows } from './tables/rows.ts'

/** Objects expire after this time without use. Upstreams also store responses for 30 days. */
const STORAGE_S = 30 * 24 * 3600
const RETRY_MS = 5000
/** Maximum number of rows per statement, because SQLite limits the number of parameters. */
const ROWS_MAX = 100
/** While more objects than this wait for the database, new objects are dropped. Their owners must create them again. */
const WAITING_MAX = 10_000

const OBJECT_KINDS = [
  ...['response', 'message', 'item', 'container', 'file', 'audio', 'conversation', 'prompt', 'cache', 'store'],
  ...['skill', 'voice'],
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** An object in an upstream account, such as a file. `id` is the id that clients use. */
export interface StoredObject {
  readonly kind: ObjectKind
  readonly id: string
}

/** An object that a reply created. */
interface CreatedObject extends StoredObject {
  /** Maximum number of tokens that the object adds to a prompt. undefined if it is unknown. */
  readonly tokens?: number | undefined
}

/** The upstream account that has an object. */
export interface ObjectPlace {
  readonly channelId: number
  /** Digest of the channel's key if the channel has several keys, otherwise empty. */
  readonly keyDigest: string
}

/** The upstream account of an object, and its length in a prompt. */
interface ObjectLocation extends ObjectPlace {
  /** Maximum number of tokens that the object adds to a prompt. undefined if it is unknown. */
  readonly tokens: number | undefined
}

type Row = Rows['stored_objects']

/** Records who created objects at upstreams. Users of a channel share its account, but only owners may use objects. */
export function createStoredObjects({ db, now }: { db: Database; now: () => number }) {
  let waiting: Row[] = []
  let writing: Promise<void> | undefined

  /** Writes all waiting rows. Rows that are added meanwhile form the next batch. */
  async function writeAll(): Promise<void> {
    // Collect more rows during one turn of the event loop.
    await new Promise(setImmediate)
    const rows = waiting
    waiting = []
    writing = undefined
    try {
      await write(rows)
    } catch (error) {
      // Retry later. Until then, the owner cannot use the objects.
      waiting.unshift(...rows)
      setTimeout(() => {
        writing ??= writeAll().catch(() => {})
      }, RETRY_MS).unref()
      throw error
    }
  }

  async function write(rows: readonly Row[]): Promise<void> {
    const uniqueRows = [...new Map(rows.map((row) => [`${row.user_id} ${row.kind} ${row.id_hash}`, row])).values()]
    // Sort the rows, so that two processes cannot deadlock.
    uniqueRows.sort((a, b) => a.user_id - b.user_id || (a.kind + a.id_hash < b.kind + b.id_hash ? -1 : 1))
    await db.transaction(async (trx) => {
      for (const part of inParts(uniqueRows, ROWS_MAX)) await insert(trx, part)
    })
  }

  return {
    /**
     * Stores the objects that a user's request created. Resolves after the commit, which can include objects of
     * concurrent requests. Throws errors of the database, and then retries in the background.
     */
    async add(
      owner: ObjectOwner,
      { channelId, keyDigest }: ObjectPlace,
      objects: readonly CreatedObject[],
    ): Promise<void> {
      if (objects.length === 0 || waiting.length > WAITING_MAX) return
      const created = { user_id: owner.userId, channel_id: channelId, key_digest: keyDigest, created_at: now() }
      for (const { kind, id, tokens = null } of objects) {
        waiting.push({ ...created, kind, id_hash: hashOf(owner, id), tokens, expires_at: now() + STORAGE_S })
      }
      writing ??= writeAll()
      await writing
    },
    /**
     * Returns the upstream accounts of objects, in the order of `objects`. An element is undefined if the owner has no
     * such object. Throws DATABASE_UNAVAILABLE.
     */
    async find(owner: ObjectOwner, objects: readonly StoredObject[]): Promise<(ObjectLocation | undefined)[]> {
      const keys = objects.map(({ kind, id }) => ({ kind, id_hash: hashOf(owner, id) }))
      const places = new Map<string, ObjectLocation>()
      for (const part of inParts(keys, ROWS_MAX)) {
        const hashes = part.map(({ id_hash }) => id_hash)
        const rows: Omit<Row, 'user_id' | 'created_at' | 'expires_at'>[] = await withinDatabaseWait(
          db
            .reader('stored_objects')
            .where({ user_id: owner.userId })
            // List all kinds, so that the database can use the primary key.
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
    /** Deletes the records of objects, so that requests of the owner can no longer use them. */
    async forget(owner: ObjectOwner, objects: readonly StoredObject[]): Promise<void> {
      for (const part of inParts(objects, ROWS_MAX)) {
        const hashes = part.map(({ id }) => hashOf(owner, id))
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
    /** Deletes expired records and returns their number. */
    trim: (): Promise<number> =>
      deleteExpired(db, 'stored_objects', {
        key: ['user_id', 'kind', 'id_hash'],
        expired: (rows) => rows.where('expires_at', '<=', now()),
      }),
  }
}

/** Inserts records. An existing record gets the new expiry, and keeps its account if another upstream uses its id. */
async function insert(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
  await trx('stored_objects').insert(rows).onConflict(['user_id', 'kind', 'id_hash']).merge(['expires_at'])
}

/** Returns the hash of an id. It includes a team's member, so that members cannot use each other's objects. */
function hashOf({ memberId }: ObjectOwner, id: string): string {
  return createHash('sha256')
    .update(memberId === 0 ? id : `${memberId} ${id}`)
    .digest('hex')
}
