import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { commaList } from '../input.ts'
import type { Ready } from '../ready.ts'
import type { Secrets } from '../secrets.ts'
import { addressesIn } from './addresses.ts'
import { hashAsForeign } from './foreign-keys.ts'

/** A token as the relay needs it. */
export interface LiveToken {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly status: number
  readonly expiredTime: number
  readonly unlimited: boolean
  /** undefined: every model. */
  readonly models: ReadonlySet<string> | undefined
  readonly addresses: readonly string[]
  readonly group: string
  /** Whether responses are stored for clients that go on from them. */
  readonly storesResponses: boolean
}

/** An owner as the relay needs it. */
export interface LiveUser {
  readonly id: number
  readonly username: string
  readonly status: number
  readonly role: number
  readonly group: string
}

/** Tokens and their owners, read once and then kept in memory until the change feed says that they changed. */
export interface CallerDirectory {
  /** Not a promise if it is in memory, as nearly always: a relay waits for nothing then. */
  findToken(key: string): Ready<LiveToken | undefined>
  findUser(id: number): Ready<LiveUser | undefined>
}

/** Unknown keys are remembered too, so that guessing costs the guesser more than the database. */
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
  // Which rows changed is known by id, tokens are remembered by their key: forgetting all is simpler than a second index,
  // and an edit is rare beside the relays in between.
  follower.on('token', () => tokens.clear())
  follower.on('user', (ids) => {
    if (ids) for (const id of ids) users.delete(Number(id))
    else users.clear()
  })

  /** A key that is not known may have come from a program that stores the SHA-256 of keys. */
  async function findByKey(key: string): Promise<LiveToken | undefined> {
    return (await readToken(db, secrets.digest(key))) ?? readToken(db, hashAsForeign(secrets, key))
  }

  return {
    findToken: (key) => remember(tokens, key, () => findByKey(key)),
    findUser: (id) => remember(users, id, () => readUser(db, id)),
  }
}

/** What was read, or is being read. */
type Remembered<K, V> = Map<K, { readonly value: V } | Promise<V>>

function remember<K, V>(known: Remembered<K, V>, key: K, read: () => Promise<V>): Ready<V> {
  const found = known.get(key)
  if (found) return found instanceof Promise ? found : found.value
  if (known.size >= REMEMBERED_MAX) known.clear()
  // A relay that waits for its caller's rows must not hang with the database.
  const reading = withinDatabaseWait(read())
  known.set(key, reading)
  const isCurrent = () => known.get(key) === reading
  reading.then(
    (value) => isCurrent() && known.set(key, { value }),
    () => isCurrent() && known.delete(key),
  )
  return reading
}

async function readToken(db: Database, key_hash: string): Promise<LiveToken | undefined> {
  const row = await db
    .reader('tokens')
    .where({ key_hash })
    .whereNull('deleted_at')
    .first(
      'id',
      'user_id',
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
  return row as LiveUser | undefined
}
