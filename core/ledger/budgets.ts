import type { Knex } from 'knex'

/**
 * Sets what a token may still spend, in the caller's transaction, which must record the change of the token: every
 * process then gives back what it has set aside of the old budget. What running relays hold stays theirs.
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
