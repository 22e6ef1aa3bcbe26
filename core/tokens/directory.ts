import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { commaList } from '../input.ts'
import type { Ready } from '../ready.ts'
import type { Secrets } from '../secrets.ts'
import { addressesIn } from './addresses.ts'
import { hashAsForeign } from './foreign-keys.ts'

/** A token, with the fields that relays need. */
export interface LiveToken {
  readonly id: number
  readonly userId: number
  /** The member who created a team's key and must be enabled; 0 for other keys. `userId` is then the team's account. */
  readonly memberId: number
  readonly name: string
  readonly status: number
  readonly expiredTime: number
  readonly unlimited: boolean
  /** The allowed models; undefined: all models. */
  readonly models: ReadonlySet<string> | undefined
  readonly addresses: readonly string[]
  readonly group: string
  /** Whether responses are stored for clients that continue them. */
  readonly storesResponses: boolean
}

/** The owner of a token, with the fields that relays need. */
export interface LiveUser {
  readonly id: number
  readonly username: string
  readonly status: number
  readonly role: number
  readonly group: string
}

/** Finds tokens and their owners. Results are cached in memory until the change feed reports a change. */
export interface CallerDirectory {
  /** Returns the token with a key (without its prefix), or a promise if it is not cached. Rejects with DATABASE_UNAVAILABLE. */
  findToken(key: string): Ready<LiveToken | undefined>
  /** Reads a token from the database. Throws DATABASE_UNAVAILABLE. */
  readToken(id: number): Promise<LiveToken | undefined>
  /** Returns a user, or a promise if the user is not cached. Rejects with DATABASE_UNAVAILABLE. */
  findUser(id: number): Ready<LiveUser | undefined>
}

/** Maximum size of each cache. Unknown keys are cached too, so that guessed keys cause few database reads. */
const REMEMBERED_MAX = 100_000

export function createCallerDirectory({
  db,
  secrets,
  follower,
}: {
  db: Database
  secrets: Secrets
  follower: Follower
}): CallerDirectory {
  const tokens: Remembered<string, LiveToken | undefined> = new Map()
  const users: Remembered<number, LiveUser | undefined> = new Map()
  // The change feed reports ids, but tokens are cached by key. Clearing all tokens is simpler than a second index, and edits are
  // rare compared to relays.
  follower.on('token', () => tokens.clear())
  follower.on('user', (ids) => {
    if (ids) for (const id of ids) users.delete(Number(id))
    else users.clear()
  })

  /**
   * Reads a token by its key. If the key is unknown, tries it as a key imported from a program that stores the SHA-256 of keys.
   */
  async function findByKey(key: string): Promise<LiveToken | undefined> {
    return (
      (await readToken(db, { key_hash: secrets.digest(key) })) ??
      readToken(db, { key_hash: hashAsForeign(secrets, key) })
    )
  }

  return {
    readToken: (id) => withinDatabaseWait(readToken(db, { id })),
    findToken: (key) => remember(tokens, key, () => findByKey(key)),
    findUser: (id) => remember(users, id, () => readUser(db, id)),
  }
}

/** A cached value, or a pending read. */
type Remembered<K, V> = Map<K, { readonly value: V } | Promise<V>>

function remember<K, V>(known: Remembered<K, V>, key: K, read: () => Promise<V>): Ready<V> {
  const cached = known.get(key)
  if (cached) return cached instanceof Promise ? cached : cached.value
  if (known.size >= REMEMBERED_MAX) known.clear()
  // Limit the wait, so that relays do not hang if the database does.
  const reading = withinDatabaseWait(read())
  known.set(key, reading)
  const isCurrent = () => known.get(key) === reading
  reading.then(
    (value) => isCurrent() && known.set(key, { value }),
    () => isCurrent() && known.delete(key),
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
  const row = await db
    .reader('users')
    .where({ id })
    .whereNull('deleted_at')
    .first('id', 'username', 'status', 'role', 'group')
  return row
}
