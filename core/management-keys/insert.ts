import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { QUOTA_MAX, requireText, requireWholeNumber } from '../input.ts'
import type { Secrets } from '../secrets.ts'
import { NEVER } from '../tokens/token.ts'
import type { NewManagementKey } from './management-keys.ts'
import { parseScopes } from './scopes.ts'
import { SHOWN_CHARACTERS } from './secret.ts'

const NAME_LENGTH_MAX = 64
const KEYS_MAX = 100
const EXPIRY_MAX = 2 ** 53 - 1

/** Dependencies of the operations on management keys. */
export interface KeyParts {
  readonly db: Pick<Database, 'serialize' | 'reader' | 'transaction'>
  readonly secrets: Secrets
  readonly audit: Audit
  readonly now: () => number
}

/** The columns that decide what a key may do. */
export interface ManagementKeyFields {
  name: string
  scopes: string
  quota_max: number | null
  expires_at: number
}

/** Returns the validated columns of a new key. Throws FIELD_*, SCOPE_UNKNOWN. */
export function checkKey(
  { name, scopes, quota_max = null, expires_at = NEVER }: NewManagementKey,
  now: number,
): ManagementKeyFields {
  const title = requireText('name', name, { min: 1, max: NAME_LENGTH_MAX })
  const allowed = parseScopes(scopes).join(' ')
  if (quota_max !== null) requireWholeNumber('quota_max', quota_max, { min: 0, max: QUOTA_MAX })
  requireWholeNumber('expires_at', expires_at, { min: NEVER, max: EXPIRY_MAX })
  if (expires_at !== NEVER && expires_at <= now)
    throw new GatewayError('FIELD_EXPIRY', { field: 'expires_at', value: expires_at })
  return { name: title, scopes: allowed, quota_max, expires_at }
}

export const isValid = ({ expires_at, revoked_at }: { expires_at: number; revoked_at: number }, now: number): boolean =>
  revoked_at === 0 && (expires_at === NEVER || expires_at > now)

/** Returns the columns that identify the text of a key. The text itself is never stored. */
export const textColumns = (secrets: Secrets, key: string) => ({
  key_hash: secrets.digest(key),
  key_start: key.slice(0, SHOWN_CHARACTERS),
})

/** Stores a key of a user. Returns its id. Throws KEYS_TOO_MANY, KEY_NAME_TAKEN, MANAGEMENT_KEY_USED. */
export async function insertKey(
  trx: Knex.Transaction,
  { db, secrets, audit, now }: KeyParts,
  actor: Actor,
  { key, ...fields }: ManagementKeyFields & { user_id: number; key: string },
): Promise<number> {
  const { user_id, name, scopes, quota_max, expires_at } = fields
  await db.serialize(trx, `management keys ${user_id}`)
  const others = await trx('management_keys')
    .where({ user_id, revoked_at: 0 })
    .select<{ name: string; expires_at: number; revoked_at: number }[]>('name', 'expires_at', 'revoked_at')
  const valid = others.filter((other) => isValid(other, now()))
  if (valid.length >= KEYS_MAX) throw new GatewayError('KEYS_TOO_MANY', { max: KEYS_MAX })
  // Users recognize a key by its name, so the names of a user's valid keys must differ.
  if (valid.some((other) => other.name === name)) throw new GatewayError('KEY_NAME_TAKEN', { name })
  const row = { ...fields, ...textColumns(secrets, key), created_at: now() }
  const [insertedKey] = await writeUniqueKey(() => trx('management_keys').insert(row).returning<{ id: number }[]>('id'))
  if (!insertedKey) throw new Error('the insert returned no row')
  const after = { name, scopes, quota_max, expires_at, ...(user_id !== actor.id && { user: user_id }) }
  await audit.write(trx, actor, { action: 'api-key.create', object: `api-key:${insertedKey.id}`, after })
  return insertedKey.id
}

/** Runs a write. Throws MANAGEMENT_KEY_USED if another key has the same text. */
export async function writeUniqueKey<T>(write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (isUniqueViolation(cause)) throw new GatewayError('MANAGEMENT_KEY_USED', {}, { cause })
    throw cause
  }
}
