import type { Knex } from 'knex'
import { inParts } from '../in-parts.ts'

/** The kinds of rows with a column `used_quota`. */
export type UsedAccount = 'user' | 'token' | 'channel'

const ROWS_PER_INSERT = 500

/**
 * Records amounts of `used_quota` that have no log rows. For users, `count` is the number of charges without log rows.
 * The caller has locked the rows of the accounts.
 */
export async function addCarried(
  trx: Knex.Transaction,
  account: UsedAccount,
  sums: readonly { id: number; quota: number; count?: number }[],
): Promise<void> {
  const rows = sums
    .map(({ id, quota, count = 0 }) => ({ account, account_id: id, quota, requests: account === 'user' ? count : 0 }))
    .filter(({ account_id, quota, requests }) => account_id > 0 && (quota !== 0 || requests !== 0))
    .sort((a, b) => a.account_id - b.account_id)
  for (const part of inParts(rows, ROWS_PER_INSERT)) {
    await trx('carried_sums')
      .insert(part)
      .onConflict(['account', 'account_id'])
      .merge({
        quota: trx.raw('carried_sums.quota + excluded.quota'),
        requests: trx.raw('carried_sums.requests + excluded.requests'),
      })
  }
}
