import type { Knex } from 'knex'

/**
 * Sets the quota that a token may still spend, in the caller's transaction, which must record the token's change: each process
 * then gives back its unused reserve of the old budget. Open holds keep their quota.
 */
export async function setBudget(
  trx: Knex.Transaction,
  { tokenId, quota }: { tokenId: number; quota: number },
): Promise<void> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A budget of ${quota} quota`)
  await trx('tokens')
    .where({ id: tokenId })
    .update({ remain_quota: quota, granted_quota: trx.raw('used_quota + ?', [quota]) })
}
