import type { Database } from '../db/database.ts'
import { recordNotice } from '../notices/outbox.ts'
import { verifyBalances } from './verify.ts'

interface BalanceCheck {
  users: number
  /** Number of users whose balance or held quota differs from the books. */
  differences: number
}

/** Maximum number of differences in the notice. */
const LISTED_MAX = 20

/** Compares all balances with entries and charges in one snapshot. Writes a notice if there are differences. */
export async function checkBalances(
  db: Pick<Database, 'snapshot' | 'transaction'>,
  now: number,
): Promise<BalanceCheck> {
  const { users, differences } = await db.snapshot((trx) => verifyBalances(trx))
  const count = differences.length
  if (count > 0) {
    const listed = differences.slice(0, LISTED_MAX)
    const notice = { event: 'ledger.mismatch', subject: 'ledger', data: { count, differences: listed }, now } as const
    await db.transaction((trx) => recordNotice(trx, notice))
  }
  return { users, differences: count }
}
