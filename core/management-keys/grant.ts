import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { NEVER } from '../tokens/token.ts'
import { spendKeyAmount } from './amount.ts'
import { insertKey, type KeyParts, type ManagementKeyFields, textColumns, writeUniqueKey } from './insert.ts'
import { coversScope } from './scopes.ts'
import { requireKeyShape } from './secret.ts'

/** A key in a configuration file. It may belong to any user, and the operator has generated its text. */
interface DescribedKey extends ManagementKeyFields {
  user_id: number
  /** The key text. Undefined to keep the current one. */
  key?: string | undefined
}

/**
 * Creates a key for a user, in the caller's transaction. Throws KEYS_TOO_MANY, KEY_NAME_TAKEN, MANAGEMENT_KEY_SHAPE and
 * MANAGEMENT_KEY_USED. Throws KEY_GRANTS_MORE or KEY_AMOUNT_EXCEEDED if the actor uses a management key with fewer
 * rights.
 */
export async function grantKey(
  trx: Knex.Transaction,
  parts: KeyParts,
  actor: Actor,
  { key = '', ...fields }: DescribedKey,
): Promise<void> {
  requireKeyShape(key)
  await requireNoMore(trx, actor, fields, fields.quota_max)
  await insertKey(trx, parts, actor, { ...fields, key })
}

/**
 * Changes a key in the caller's transaction. The amount that the key has already granted is kept. Throws
 * MANAGEMENT_KEY_NOT_FOUND, MANAGEMENT_KEY_SHAPE, MANAGEMENT_KEY_USED, KEY_GRANTS_MORE and KEY_AMOUNT_EXCEEDED.
 */
export async function regrantKey(
  trx: Knex.Transaction,
  { secrets, audit }: KeyParts,
  actor: Actor,
  { id, key, ...fields }: DescribedKey & { id: number },
): Promise<void> {
  const columns = ['name', 'scopes', 'quota_max', 'quota_used', 'expires_at'] as const
  const row = await trx('management_keys')
    .where({ id, revoked_at: 0 })
    .forUpdate()
    .first(...columns)
  if (!row) throw new GatewayError('MANAGEMENT_KEY_NOT_FOUND', { id })
  if (key !== undefined) requireKeyShape(key)
  const { quota_max, scopes, expires_at } = fields
  const [max, used] = [row.quota_max === null ? null : Number(row.quota_max), Number(row.quota_used)]
  // Without a new text, count only the quota that this change adds. A new text may give the key to another person, so
  // count all quota that the key may still grant.
  const left = quota_max === null ? null : Math.max(0, quota_max - (key === undefined && max !== null ? max : used))
  await requireNoMore(trx, actor, fields, left)
  const changed = { scopes, quota_max, expires_at, ...(key !== undefined && textColumns(secrets, key)) }
  await writeUniqueKey(() => trx('management_keys').where({ id }).update(changed))
  const before = { name: row.name, scopes: row.scopes, quota_max: max, expires_at: Number(row.expires_at) }
  const after = { name: row.name, scopes, quota_max, expires_at, ...(key !== undefined && { key: 'changed' }) }
  await audit.write(trx, actor, { action: 'api-key.update', object: `api-key:${id}`, before, after })
}

/** Throws if the key would allow more than the actor's key: another user, more scopes, a later expiry or more quota. */
async function requireNoMore(
  trx: Knex.Transaction,
  actor: Actor,
  { user_id, scopes, expires_at }: DescribedKey,
  quota: number | null,
): Promise<void> {
  if (actor.keyId === undefined) return
  const actorKey = await trx('management_keys').where({ id: actor.keyId }).first('scopes', 'quota_max', 'expires_at')
  if (!actorKey) throw new GatewayError('MANAGEMENT_KEY_NOT_FOUND', { id: actor.keyId })
  // The key of another user could read data that even root cannot read, such as that user's tokens.
  if (user_id !== actor.id) throw new GatewayError('KEY_GRANTS_MORE', { what: 'user' })
  const scope = scopes.split(' ').find((each) => !coversScope(actorKey.scopes.split(' '), each))
  if (scope !== undefined) throw new GatewayError('KEY_GRANTS_MORE', { what: scope })
  const end = Number(actorKey.expires_at)
  if (end !== NEVER && (expires_at === NEVER || expires_at > end))
    throw new GatewayError('KEY_GRANTS_MORE', { what: 'expires_at' })
  if (actorKey.quota_max === null) return
  if (quota === null) throw new GatewayError('KEY_GRANTS_MORE', { what: 'quota_max' })
  await spendKeyAmount(trx, actor, quota)
}
