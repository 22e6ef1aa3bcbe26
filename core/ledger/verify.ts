import type { Knex } from 'knex'
import { LOG_TYPE } from '../logs/log.ts'

/** One user whose balance is not what the books say, or whose held quota is not what the processes hold. */
export interface Difference {
  user_id: number
  username: string
  /** What the row says. */
  quota: number
  /** What entries minus charges say. */
  expected: number
  held_quota: number
  /** What the processes have set aside. */
  expected_held: number
}

export interface Verification {
  equal: boolean
  users: number
  /** Sums over all users, in quota. */
  quota: number
  entries: number
  charges: number
  differences: Difference[]
}

/** Compares each user's balance with its entries minus its charges: one statement, so one moment of the database. */
export async function verifyBooks(db: Knex): Promise<Verification> {
  const rows = (await db
    .with('entries', (query) =>
      query.from('ledger_entries').groupBy('user_id').select('user_id').sum({ total: 'quota' }),
    )
    .with('charges', (query) =>
      query
        .from('logs')
        .where({ type: LOG_TYPE.consumption })
        // Rows without a request id, such as channel tests, are not charged to anybody.
        .whereNotNull('request_id')
        .groupBy('user_id')
        .select('user_id')
        .sum({ total: 'quota' }),
    )
    // What was deleted by a clearing that is not finished: entries carry it on in the end.
    .with('cleared', (query) =>
      query.from('log_clear_sums').groupBy('user_id').select('user_id').sum({ total: 'quota' }),
    )
    .with('held', (query) =>
      query.from('holds').where({ account: 'user' }).groupBy('account_id').select('account_id').sum({ total: 'quota' }),
    )
    .from('users')
    .leftJoin('entries', 'entries.user_id', 'users.id')
    .leftJoin('charges', 'charges.user_id', 'users.id')
    .leftJoin('cleared', 'cleared.user_id', 'users.id')
    .leftJoin('held', 'held.account_id', 'users.id')
    .orderBy('users.id')
    .select('users.id as user_id', 'users.username', 'users.quota', 'users.held_quota', {
      entries: 'entries.total',
      charges: 'charges.total',
      cleared: 'cleared.total',
      held: 'held.total',
    })) as {
    user_id: number
    username: string
    quota: number
    held_quota: number
    entries: number | null
    charges: number | null
    cleared: number | null
    held: number | null
  }[]

  const differences: Difference[] = []
  const sums = { quota: 0, entries: 0, charges: 0 }
  for (const { user_id, username, quota, held_quota, entries, charges, cleared, held } of rows) {
    const charged = (charges ?? 0) + (cleared ?? 0)
    const expected = (entries ?? 0) - charged
    const expected_held = held ?? 0
    sums.quota += quota
    sums.entries += entries ?? 0
    sums.charges += charged
    if (quota !== expected || held_quota !== expected_held) {
      differences.push({ user_id, username, quota, expected, held_quota, expected_held })
    }
  }
  return { equal: differences.length === 0, users: rows.length, ...sums, differences }
}
