import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { LOG_TYPE, type Log } from '../logs/log.ts'
import { recomputePrice } from '../logs/receipt.ts'
import { findBreaks, type Sign } from './chain.ts'
import type { BalanceDifference, LedgerVerification, RowDifference } from './schema.ts'
import { findDifferences } from './sums.ts'

/** Verifies all sums in one database snapshot. With `sign`, also verifies the chains of entries. */
export function verifyBooks(db: Pick<Database, 'snapshot'>, sign: Sign | undefined): Promise<LedgerVerification> {
  return db.snapshot(async (trx) => {
    const balances = await verifyBalances(trx)
    const rows = await findDifferences(trx)
    // For users whose sums differ, list the charges that were changed by hand.
    const ids = [...balances.differences, ...rows].map(({ user_id }) => user_id).filter((id) => id > 0)
    const users = [...new Set(ids)].slice(0, USERS_MAX)
    rows.push(...(await findAlteredCharges(trx, users)))
    for await (const { table, id, userId } of sign ? findBreaks(trx, sign) : []) {
      rows.push({ table, id: String(id), what: BROKEN[table], found: 0, expected: 0, user_id: userId })
      if (rows.length >= ROWS_MAX) break
    }
    return { ...balances, equal: balances.differences.length === 0 && rows.length === 0, rows }
  })
}

const ROWS_MAX = 1000
/** Maximum number of users whose log rows are read one by one, because this is slow. */
const USERS_MAX = 20
const BROKEN = {
  ledger_entries: 'changed by hand, or an entry before it is missing',
  ledger_heads: 'the last entries of this user are missing',
} as const

/** Compares the balance of each user with the user's entries minus charges. With `userId`, checks only this user. */
export async function verifyBalances(db: Knex, userId?: number): Promise<Omit<LedgerVerification, 'equal' | 'rows'>> {
  const filterUser = (query: Knex.QueryBuilder, column: string) =>
    userId === undefined ? query : query.where(column, userId)
  const rows: {
    user_id: number
    username: string
    quota: number
    held_quota: number
    entries: number | null
    charges: number | null
    cleared: number | null
    held: number | null
  }[] = await db
    .with('entries', (query) =>
      filterUser(query.from('ledger_entries'), 'user_id').groupBy('user_id').select('user_id').sum({ total: 'quota' }),
    )
    .with('charges', (query) =>
      filterUser(query.from('logs'), 'user_id')
        .where({ type: LOG_TYPE.consumption })
        // Rows without a request id, such as channel tests, are not charged to a user.
        .whereNotNull('request_id')
        .groupBy('user_id')
        .select('user_id')
        .sum({ total: 'quota' }),
    )
    // Charges whose log rows an unfinished clearing has deleted. The clearing adds `carry` entries for these charges at
    // its end.
    .with('cleared', (query) =>
      filterUser(query.from('log_clear_sums'), 'user_id').groupBy('user_id').select('user_id').sum({ total: 'quota' }),
    )
    .with('held', (query) =>
      query.from('holds').where({ account: 'user' }).groupBy('account_id').select('account_id').sum({ total: 'quota' }),
    )
    .from('users')
    .leftJoin('entries', 'entries.user_id', 'users.id')
    .leftJoin('charges', 'charges.user_id', 'users.id')
    .leftJoin('cleared', 'cleared.user_id', 'users.id')
    .leftJoin('held', 'held.account_id', 'users.id')
    .modify((query) => void filterUser(query, 'users.id'))
    .orderBy('users.id')
    .select('users.id as user_id', 'users.username', 'users.quota', 'users.held_quota', {
      entries: 'entries.total',
      charges: 'charges.total',
      cleared: 'cleared.total',
      held: 'held.total',
    })

  const differences: BalanceDifference[] = []
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
  return { users: rows.length, ...sums, differences }
}

const READ_AT_ONCE = 1000
const LISTED_MAX = 100

type Charged = Pick<Log, 'id' | 'type' | 'user_id' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'other'>

/** Returns at most 100 charges of these users whose quota differs from the price that their receipt recomputes. */
async function findAlteredCharges(trx: Knex.Transaction, userIds: readonly number[]): Promise<RowDifference[]> {
  const differences: RowDifference[] = []
  for (const user_id of userIds) {
    for (let after = 0; ; ) {
      const rows: Charged[] = await trx('logs')
        .where({ user_id, type: LOG_TYPE.consumption })
        .whereNotNull('request_id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(READ_AT_ONCE)
        .select('id', 'type', 'user_id', 'quota', 'prompt_tokens', 'completion_tokens', 'other')
      for (const row of rows) {
        const { id, quota: found } = row
        const expected = priceOf(row)
        if (expected === undefined || expected === found) continue
        differences.push({ table: 'logs', id: String(id), what: 'quota of a charge', found, expected, user_id })
        if (differences.length >= LISTED_MAX) return differences
      }
      if (rows.length < READ_AT_ONCE) break
      after = Number(rows.at(-1)?.id)
    }
  }
  return differences
}

/** Returns the price that the row's receipt recomputes, or undefined if the row has no receipt. */
function priceOf(row: Charged): number | undefined {
  try {
    return recomputePrice(row).recomputed
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}
