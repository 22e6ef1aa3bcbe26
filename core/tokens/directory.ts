import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { commaList } from '../input.ts'
import type { Ready } from '../ready.ts'
import type { Secrets } from '../secrets.ts'
import { addressesIn } from './addresses.ts'
import { hashAsForeign } from './foreign-keys.ts'

/** The fields of a token that relays need. */
export interface LiveToken {
  readonly id: number
  readonly userId: number
  /** The enabled member who created a team key, or 0 for other keys. A team key's `userId` is the team's account. */
  readonly memberId: number
  readonly name: string
  readonly status: number
  readonly expiredTime: number
  readonly unlimited: boolean
  /** The allowed models; undefined: all models. */
  readonly models: ReadonlySet<string> | undefined
  readonly addresses: readonly string[]
  readonly group: string
  /** Whether responses are stored, so that clients can continue them. */
  readonly storesResponses: boolean
}

/** The fields of a token's owner that relays need. */
export interface LiveUser {
  readonly id: number
  readonly username: string
  readonly status: number
  readonly role: number
  readonly group: string
}

/** Finds tokens and their owners. Caches results in memory until the change feed reports a change. */
export type CallerDirectory = ReturnType<typeof createCallerDirectory>

/** Maximum size of each cache. Unknown keys are cached too, so that guessed keys cause few database reads. */
const CACHE_MAX = 100_000

export function createCallerDirectory(parts: { db: Database; secrets: Secrets; follower: Follower }) {
  const { db, secrets, follower } = parts
  const tokens: Cache<string, LiveToken | undefined> = new Map()
  const users: Cache<number, LiveUser | undefined> = new Map()
  // The change feed reports ids, but tokens are cached by key. Clearing all tokens is simpler than a second index, and
  // edits are rare compared to relays.
  follower.on('token', () => tokens.clear())
  follower.on('user', (ids) => {
    if (ids) for (const id of ids) users.delete(Number(id))
    else users.clear()
  })

  /** Reads a token by its key. Also finds a token that was imported with only the SHA-256 of its key. */
  async function findByKey(key: string): Promise<LiveToken | undefined> {
    return (
      (await readToken(db, { key_hash: secrets.digest(key) })) ??
      readToken(db, { key_hash: hashAsForeign(secrets, key) })
    )
  }

  return {
    /** Reads a token from the database. Throws DATABASE_UNAVAILABLE. */
    readToken: (id: number): Promise<LiveToken | undefined> => withinDatabaseWait(readToken(db, { id })),
    /**
     * Returns a token by its key without `sk-`, or a promise if it is not cached. Rejects with DATABASE_UNAVAILABLE.
     */
    findToken: (key: string): Ready<LiveToken | undefined> => readThrough(tokens, key, () => findByKey(key)),
    /** Returns a user. Returns a promise if the user is not cached. Rejects with DATABASE_UNAVAILABLE. */
    findUser: (id: number): Ready<LiveUser | undefined> => readThrough(users, id, () => readUser(db, id)),
  }
}

/** Cached values and pending reads. */
type Cache<K, V> = Map<K, { readonly value: V } | Promise<V>>

function readThrough<K, V>(cache: Cache<K, V>, key: K, read: () => Promise<V>): Ready<V> {
  const cached = cache.get(key)
  if (cached) return cached instanceof Promise ? cached : cached.value
  if (cache.size >= CACHE_MAX) cache.clear()
  // Limit the wait, so that relays do not hang while the database does not reply.
  const reading = withinDatabaseWait(read())
  cache.set(key, reading)
  const isCurrent = () => cache.get(key) === reading
  reading.then(
    (value) => isCurrent() && cache.set(key, { value }),
    () => isCurrent() && cache.delete(key),
  )
  return reading
}

async function readToken(db: Database, which: { key_hash: string } | { id: number }): Promise<LiveToken | undefined> {
  const row = await db
    .reader('tokens')
    .where(which)
    .whereNull('deleted_at')
    .first(
      'id',
      'user_id',
      'member_id',
      'name',
      'status',
      'expired_time',
      'unlimited_quota',
      'model_limits_enabled',
      'model_limits',
      'allow_ips',
      'group',
      'store_responses',
    )
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      memberId: row.member_id ?? 0,
      name: row.name,
      status: row.status,
      expiredTime: row.expired_time,
      unlimited: Boolean(row.unlimited_quota),
      models: row.model_limits_enabled ? new Set(commaList(row.model_limits)) : undefined,
      addresses: addressesIn(row.allow_ips),
      group: row.group,
      storesResponses: Boolean(row.store_responses),
    }
  )
}

async function readUser(db: Database, id: number): Promise<LiveUser | undefined> {
  return db.reader('users').where({ id }).whereNull('deleted_at').first('id', 'username', 'status', 'role', 'group')
}
