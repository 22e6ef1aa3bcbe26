import type { Actor } from '../actor.ts'
import { ROLE } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { type Page, type Paging, QUOTA_MAX, textOf, wholeNumber } from '../input.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'
import type { SessionUser } from '../sessions/sessions.ts'
import type { ManagementKey } from './schema.ts'
import { parseScopes } from './scopes.ts'

export type { ManagementKey } from './schema.ts'

/** What every management key begins with, so that scanners of source code can find one that leaked. */
export const MANAGEMENT_KEY_PREFIX = 'tgm_'
const KEY_CHARACTERS = 40
const SHOWN_CHARACTERS = 8
const NAME_LENGTH_MAX = 64
const KEYS_MAX = 100
const NEVER = -1
const EXPIRY_MAX = 2 ** 53 - 1
/** Each use would be a write. */
const LAST_USED_EVERY_S = 60

export interface NewManagementKey {
  name: string
  scopes: readonly string[]
  /** Quota that it may give away in all; null or absent: not limited. */
  quota_max?: number | null
  /** Unix seconds; -1 or absent: never. */
  expires_at?: number
}

/** What a management key allows, and whose it is. */
export interface KeyHolder {
  user: SessionUser
  keyId: number
  scopes: readonly string[]
}

/** Credentials for parts of the management API, several for each user. None is valid on the relay. */
export interface ManagementKeys {
  /** Makes a key for the actor, and returns it with the key itself, once. Throws FIELD_*, SCOPE_UNKNOWN, KEYS_TOO_MANY, KEY_NAME_TAKEN. */
  create(actor: Actor, key: NewManagementKey): Promise<ManagementKey & { key: string }>
  /** The actor's keys, newest first, revoked ones included; for root with `everybody` those of all users. */
  list(actor: Actor, query?: Paging & { everybody?: boolean }): Promise<Page<ManagementKey>>
  /** Makes a key void, for good. Root may revoke those of others. Throws MANAGEMENT_KEY_NOT_FOUND. */
  revoke(actor: Actor, id: number): Promise<ManagementKey>
  /** Whose key it is; undefined if it is unknown, expired or revoked. */
  find(key: string): Promise<KeyHolder | undefined>
}

const COLUMNS = [
  'id',
  'user_id',
  'name',
  'key_start',
  'scopes',
  'quota_max',
  'quota_used',
  'expires_at',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const

type Row = Omit<ManagementKey, 'scopes'> & { scopes: string }

const shown = ({ scopes, ...row }: Row): ManagementKey => ({ ...row, scopes: scopes.split(' ') })

export function createManagementKeys({
  db,
  secrets,
  audit,
  now,
}: {
  db: Database
  secrets: Secrets
  audit: Audit
  now: () => number
}): ManagementKeys {
  const isValid = ({ expires_at, revoked_at }: Pick<Row, 'expires_at' | 'revoked_at'>) =>
    revoked_at === 0 && (expires_at === NEVER || expires_at > now())

  async function noteUse({ id, last_used_at }: Pick<Row, 'id' | 'last_used_at'>): Promise<void> {
    if (last_used_at > now() - LAST_USED_EVERY_S) return
    await db.transaction((trx) => trx('management_keys').where({ id }).update({ last_used_at: now() }))
  }

  return {
    async create(actor, { name, scopes, quota_max = null, expires_at = NEVER }) {
      const title = textOf('name', name, { min: 1, max: NAME_LENGTH_MAX })
      const allowed = parseScopes(scopes)
      if (quota_max !== null) wholeNumber('quota_max', quota_max, { min: 0, max: QUOTA_MAX })
      wholeNumber('expires_at', expires_at, { min: NEVER, max: EXPIRY_MAX })
      if (expires_at !== NEVER && expires_at <= now())
        throw new GatewayError('FIELD_EXPIRY', { field: 'expires_at', value: expires_at })
      const key = MANAGEMENT_KEY_PREFIX + randomAlphanumerics(KEY_CHARACTERS)
      return db.transaction(async (trx) => {
        await db.alone(trx, `management keys ${actor.id}`)
        const others = (await trx('management_keys')
          .where({ user_id: actor.id, revoked_at: 0 })
          .select('name', 'expires_at', 'revoked_at')) as Row[]
        const valid = others.filter(isValid)
        if (valid.length >= KEYS_MAX) throw new GatewayError('KEYS_TOO_MANY', { max: KEYS_MAX })
        // By its name a key is recognized and revoked.
        if (valid.some((other) => other.name === title)) throw new GatewayError('KEY_NAME_TAKEN', { name: title })
        const row = {
          user_id: actor.id,
          name: title,
          key_hash: secrets.digest(key),
          key_start: key.slice(0, SHOWN_CHARACTERS),
          scopes: allowed.join(' '),
          quota_max,
          expires_at,
          created_at: now(),
        }
        const [made] = (await trx('management_keys')
          .insert(row)
          .returning([...COLUMNS])) as Row[]
        if (!made) throw new Error('a new row is returned')
        const after = { name: title, scopes: row.scopes, quota_max, expires_at }
        await audit.write(trx, actor, { action: 'api-key.create', object: `api-key:${made.id}`, after })
        return { ...shown(made), key }
      })
    },

    async list(actor, { everybody = false, ...paging } = {}) {
      const matching = db.reader('management_keys').modify((rows) => {
        if (!(everybody && actor.role >= ROLE.root)) rows.where({ user_id: actor.id })
      })
      const page = await readPage<Row>(matching, paging, { columns: COLUMNS, order: NEWEST_FIRST })
      return { ...page, items: page.items.map(shown) }
    },

    async revoke(actor, id) {
      return db.transaction(async (trx) => {
        const visible = () =>
          trx('management_keys')
            .where({ id })
            .modify((rows) => {
              if (actor.role < ROLE.root) rows.where({ user_id: actor.id })
            })
        const revoked = await visible().where({ revoked_at: 0 }).update({ revoked_at: now() })
        const row = (await visible().first(...COLUMNS)) as Row | undefined
        if (!row) throw new GatewayError('MANAGEMENT_KEY_NOT_FOUND', { id })
        const before = { name: row.name, scopes: row.scopes }
        if (revoked > 0)
          await audit.write(trx, actor, { action: 'api-key.revoke', object: `api-key:${id}`, before, after: null })
        return shown(row)
      })
    },

    async find(key) {
      if (!key.startsWith(MANAGEMENT_KEY_PREFIX)) return undefined
      const row = (await db
        .reader('management_keys')
        .where({ key_hash: secrets.digest(key) })
        .first(...COLUMNS)) as Row | undefined
      if (!row || !isValid(row)) return undefined
      const user = (await db
        .reader('users')
        .where({ id: row.user_id })
        .whereNull('deleted_at')
        .first('id', 'role', 'username', 'status', 'group')) as SessionUser | undefined
      if (!user) return undefined
      await noteUse(row)
      return { user, keyId: row.id, scopes: row.scopes.split(' ') }
    },
  }
}
