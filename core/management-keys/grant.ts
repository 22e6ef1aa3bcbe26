import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { spendKeyAmount } from './amount.ts'
import { insertKey, type KeyFields, type KeyParts, textColumns, whereKeyUnused } from './insert.ts'
import { includes } from './scopes.ts'
import { NEVER, requireKeyShape } from './secret.ts'

/** A key as an operator describes it: for any user, with a text that the operator has drawn. */
export interface DescribedKey extends KeyFields {
  user_id: number
  /** Undefined: the text stays as it is. */
  key?: string | undefined
}

/**
 * Creates a key of a user, in the caller's transaction. Throws as `ManagementKeys.create`, MANAGEMENT_KEY_SHAPE,
 * MANAGEMENT_KEY_USED, and KEY_GRANTS_MORE, KEY_AMOUNT_EXCEEDED if the actor uses a key that has less.
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

/** Changes a key and keeps what it has used, in the caller's transaction. Throws as `grantKey`. */
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
  // Who knows the new text can give away all that is left of the amount.
  const left = quota_max === null ? null : Math.max(0, quota_max - (key === undefined && max !== null ? max : used))
  await requireNoMore(trx, actor, fields, left)
  const changed = { scopes, quota_max, expires_at, ...(key !== undefined && textColumns(secrets, key)) }
  await whereKeyUnused(() => trx('management_keys').where({ id }).update(changed))
  const before = { name: row.name, scopes: row.scopes, quota_max: max, expires_at: Number(row.expires_at) }
  const after = { name: row.name, scopes, quota_max, expires_at, ...(key !== undefined && { key: 'changed' }) }
  await audit.write(trx, actor, { action: 'api-key.update', object: `api-key:${id}`, before, after })
}

/** A key never grants more than it has: its user's rights, scopes, time, or amount, which counts as given away. */
async function requireNoMore(
  trx: Knex.Transaction,
  actor: Actor,
  { user_id, scopes, expires_at }: DescribedKey,
  quota: number | null,
): Promise<void> {
  if (actor.keyId === undefined) return
  const own = await trx('management_keys').where({ id: actor.keyId }).first('scopes', 'quota_max', 'expires_at')
  if (!own) throw new GatewayError('MANAGEMENT_KEY_NOT_FOUND', { id: actor.keyId })
  // Even root does not read what others do of their own, such as their tokens.
  if (user_id !== actor.id) throw new GatewayError('KEY_GRANTS_MORE', { what: 'user' })
  const scope = scopes.split(' ').find((each) => !includes(own.scopes.split(' '), each))
  if (scope !== undefined) throw new GatewayError('KEY_GRANTS_MORE', { what: scope })
  const end = Number(own.expires_at)
  if (end !== NEVER && (expires_at === NEVER || expires_at > end))
    throw new GatewayError('KEY_GRANTS_MORE', { what: 'expires_at' })
  if (own.quota_max === null) return
  if (quota === null) throw new GatewayError('KEY_GRANTS_MORE', { what: 'quota_max' })
  await spendKeyAmount(trx, actor, quota)
}
