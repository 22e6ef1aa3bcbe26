import type { Knex } from 'knex'
import { fromJson, toJson } from '../db/json.ts'
import { addAmount, type PartAmounts } from './windows.ts'

/** Releases the shares that ended epochs have in concurrency limits. */
export async function releaseShares(trx: Knex.Transaction, nodeIds: readonly string[]): Promise<void> {
  const shares: { limit_id: number; subject_id: string; amount: number }[] = await trx('limit_shares')
    .whereIn('node_id', nodeIds)
    .orderBy(['limit_id', 'subject_id'])
    .select('limit_id', 'subject_id', 'amount')
  if (shares.length === 0) return
  for (const { limit_id, subject_id, amount } of shares) {
    const row = await trx('limit_windows').where({ limit_id, subject_id }).forUpdate().first('taken')
    if (!row) continue
    const taken = fromJson<PartAmounts>(row.taken)
    addAmount(taken, 0, -Number(amount))
    await trx('limit_windows')
      .where({ limit_id, subject_id })
      .update({ taken: toJson(taken.filter(([, each]) => each > 0)) })
  }
  await trx('limit_shares').whereIn('node_id', nodeIds).delete()
}
