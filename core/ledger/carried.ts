import type { Knex } from 'knex'

/** A user, a token or a channel: each has a `used_quota`. */
export type UsedAccount = 'user' | 'token' | 'channel'

const ROWS_PER_INSERT = 500

/** Adds what the `used_quota` of accounts has, or has lost, without a log row that says so. The caller has locked the accounts. */
export async function addCarried(
  trx: Knex.Transaction,
  account: UsedAccount,
  sums: readonly { id: number; quota: number }[],
): Promise<void> {
  const rows = sums
    .filter(({ id, quota }) => id > 0 && quota !== 0)
    .sort((a, b) => a.id - b.id)
    .map(({ id, quota }) => ({ account, account_id: id, quota }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await trx('carried_sums')
      .insert(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict(['account', 'account_id'])
      .merge({ quota: trx.raw('carried_sums.quota + excluded.quota') })
  }
}
