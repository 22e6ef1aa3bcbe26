import type { Database, PreparedStatement } from '../db/database.ts'
import { isDatabaseUnavailable, OutcomeUnknownError } from '../db/unavailable.ts'
import { ADVANCE_DIVISOR, AMPLE_FACTOR } from './accounts.ts'
import type { AccountKind } from './balances.ts'

/**
 * On PostgreSQL, functions (`core/db/migrations/0125-reserve-functions.ts`) change reserves in one round trip. The
 * functions below return undefined on SQLite, and if the function of the database is missing or fails. The caller must
 * then use a transaction. They throw OutcomeUnknownError if the reply is lost.
 */

/** A change of the reserve of one balance. */
export interface ReserveOperation {
  readonly kind: AccountKind
  readonly id: number
  readonly quota: number
  readonly operation: number
}

/**
 * Adds `quota` and an advance to a reserve. Returns the added quota. Handles only the usual case, a large balance and a
 * current epoch, and returns undefined otherwise.
 */
export async function reserveAtOnce(
  db: Database,
  epoch: string,
  { kind, id, quota, operation }: ReserveOperation,
): Promise<number | undefined> {
  const values = [epoch, kind, id, quota, AMPLE_FACTOR, ADVANCE_DIVISOR, operation]
  const text = 'SELECT reserve_quota($1, $2, $3, $4, $5, $6, $7) AS quota'
  const granted = await call(db, { name: 'tollgate-reserve', text, values })
  return typeof granted === 'number' && granted > 0 ? granted : undefined
}

/**
 * Gives parts of reserves back. `changes` are in the order of the locks. Returns the sum of the quota that was removed,
 * or undefined, too, if the epoch has ended.
 */
export async function returnAtOnce(
  db: Database,
  epoch: string,
  changes: readonly ReserveOperation[],
): Promise<number | undefined> {
  const columns = (['kind', 'id', 'quota', 'operation'] as const).map((name) => changes.map((change) => change[name]))
  const text = 'SELECT return_reserves($1, $2, $3, $4, $5) AS quota'
  const removed = await call(db, { name: 'tollgate-return', text, values: [epoch, ...columns] })
  return typeof removed === 'number' ? removed : undefined
}

async function call(db: Database, statement: PreparedStatement): Promise<unknown> {
  if (!db.statement) return undefined
  try {
    const [row] = await db.statement(statement)
    return row?.quota
  } catch (error) {
    if (error instanceof OutcomeUnknownError || isDatabaseUnavailable(error)) throw error
    return undefined
  }
}
