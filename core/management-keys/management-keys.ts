import { type Actor, ROLE } from '../actor.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import { randomAlphanumerics } from '../secrets.ts'
import type { SessionUser } from '../sessions.ts'
import { checkKey, insertKey, isValid, type KeyParts } from './insert.ts'
import type { ManagementKey } from './schema.ts'
import { MANAGEMENT_KEY_PREFIX } from './secret.ts'

export type { ManagementKey } from './schema.ts'

export { MANAGEMENT_KEY_PREFIX } from './secret.ts'

const KEY_CHARACTERS = 40
/** Minimum time between two updates of `last_used_at`, so that a use rarely needs a write. */
const LAST_USED_EVERY_S = 60

export interface NewManagementKey {
  name: string
  scopes: readonly string[]
  /** Total quota that the key may grant. Null or absent means unlimited. */
  quota_max?: number | null
  /** Unix seconds. -1 or absent means never. */
  expires_at?: number
}

/** The owner and the permissions of a management key. */
interface KeyHolder {
  user: SessionUser
  keyId: number
  scopes: readonly string[]
}

/**
 * Manages management keys, which are credentials for parts of the management API. A user may have several keys. The
 * relay rejects management keys.
 */
export type ManagementKeys = ReturnType<typeof createManagementKeys>

// Not from the schema: its package would be loaded at the start of each local command.
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

const toManagementKey = ({ scopes, ...row }: Row): ManagementKey => ({ ...row, scopes: scopes.split(' ') })

export function createManagementKeys(parts: KeyParts) {
  const { db, secrets, audit, now } = parts

  async function noteUse({ id, last_used_at }: Pick<Row, 'id' | 'last_used_at'>): Promise<void> {
    if (last_used_at > now() - LAST_USED_EVERY_S) return
    await db.transaction((trx) => trx('management_keys').where({ id }).update({ last_used_at: now() }))
  }

  return {
    /** Creates a key and returns it with its text. Throws FIELD_*, SCOPE_UNKNOWN, KEYS_TOO_MANY and KEY_NAME_TAKEN. */
    async create(actor: Actor, input: NewManagementKey): Promise<ManagementKey & { key: string }> {
      const fields = checkKey(input, now())
      const key = MANAGEMENT_KEY_PREFIX + randomAlphanumerics(KEY_CHARACTERS)
      return db.transaction(async (trx) => {
        const id = await insertKey(trx, parts, actor, { ...fields, user_id: actor.id, key })
        const row = await trx('management_keys')
          .where({ id })
          .first(...COLUMNS)
        return { ...toManagementKey(requireRow(row)), key }
      })
    },

    /** Returns the actor's keys, newest first, including revoked ones. With `everybody`, root gets all users' keys. */
    async list(
      actor: Actor,
      { everybody = false, ...paging }: Paging & { everybody?: boolean } = {},
    ): Promise<Page<ManagementKey>> {
      const matching = db.reader('management_keys').modify((rows) => {
        if (!(everybody && actor.role >= ROLE.root)) rows.where({ user_id: actor.id })
      })
      const page = await readPage<Row>(matching, paging, { columns: COLUMNS, order: NEWEST_FIRST })
      return { ...page, items: page.items.map(toManagementKey) }
    },

    /** Revokes a key permanently and returns it. Root may revoke other users' keys. Throws MANAGEMENT_KEY_NOT_FOUND. */
    async revoke(actor: Actor, id: number): Promise<ManagementKey> {
      return db.transaction(async (trx) => {
        const visibleKey = () =>
          trx('management_keys')
            .where({ id })
            .modify((rows) => {
              if (actor.role < ROLE.root) rows.where({ user_id: actor.id })
            })
        const revoked = await visibleKey().where({ revoked_at: 0 }).update({ revoked_at: now() })
        const row = await visibleKey().first(...COLUMNS)
        if (!row) throw new GatewayError('MANAGEMENT_KEY_NOT_FOUND', { id })
        const before = { name: row.name, scopes: row.scopes }
        if (revoked > 0)
          await audit.write(trx, actor, { action: 'api-key.revoke', object: `api-key:${id}`, before, after: null })
        return toManagementKey(row)
      })
    },

    /** Returns the user and permissions of a valid key whose user is not deleted, else undefined. */
    async find(key: string): Promise<KeyHolder | undefined> {
      if (!key.startsWith(MANAGEMENT_KEY_PREFIX)) return undefined
      const row = await db
        .reader('management_keys')
        .where({ key_hash: secrets.digest(key) })
        .first(...COLUMNS)
      if (!row || !isValid(row, now())) return undefined
      const user = await db
        .reader('users')
        .where({ id: row.user_id })
        .whereNull('deleted_at')
        .first('id', 'role', 'username', 'status', 'group')
      if (!user) return undefined
      await noteUse(row)
      return { user, keyId: row.id, scopes: row.scopes.split(' ') }
    },
  }
}
