import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'

/**
 * Adds quota to the amount that the actor's management key has granted, in the caller's transaction. Does nothing if
 * the actor does not use a management key. Throws KEY_AMOUNT_EXCEEDED if this would exceed the key's limit.
 */
export async function spendKeyAmount(
  trx: Knex.Transaction,
  { keyId }: Pick<Actor, 'keyId'>,
  quota: number,
): Promise<void> {
  if (keyId === undefined || quota <= 0) return
  // The UPDATE checks the limit, so concurrent calls cannot exceed it.
  const spent = await trx('management_keys')
    .where({ id: keyId })
    .where((limit) => limit.whereNull('quota_max').orWhereRaw('quota_used + ? <= quota_max', [quota]))
    .increment('quota_used', quota)
  if (spent > 0) return
  const { quota_max: max, quota_used: used } = requireRow(await trx('management_keys').where({ id: keyId }).first())
  throw new GatewayError('KEY_AMOUNT_EXCEEDED', { quota, left: Math.max(0, Number(max) - Number(used)) })
}
