import type { Knex } from 'knex'
import { freeOf } from './accounts.ts'
import { ACCOUNTS, type AccountKind, type BalanceRow, type GroupDebts } from './balances.ts'
import type { Settlement } from './batch.ts'
import type { Charge, SettleOutcome } from './charge.ts'

/**
 * Limits charges of ended epochs to the remaining user balance and token budget. The holds of these epochs were
 * released, so other processes may have spent the balance, which must not go below zero. Locks the rows of the
 * balances. None of the charges may be booked already.
 *
 * Returns the settlements that are charged less than before, with their new charge. In `outcomes`, sets `lost` for each
 * settlement that the balance and the budget do not fully cover. A `lost` settlement without a new charge is not
 * charged at all, because its reply was not delivered.
 */
export async function limitToBalance(
  trx: Knex.Transaction,
  settlements: readonly Settlement[],
  { outcomes, groupDebts }: { outcomes: Map<Settlement, SettleOutcome>; groupDebts: GroupDebts },
): Promise<Map<Settlement, Settlement>> {
  const userIds = settlements.map(({ charge }) => charge.userId)
  const tokenIds = settlements.map(({ budgetTokenId }) => budgetTokenId)
  const users = await freeByAccount(trx, 'user', { ids: userIds, groupDebts })
  const tokens = await freeByAccount(trx, 'token', { ids: tokenIds, groupDebts })
  const limited = new Map<Settlement, Settlement>()
  for (const settlement of settlements) {
    const { charge, budgetTokenId, isJournaled } = settlement
    const user = users.get(charge.userId) ?? 0
    const token = budgetTokenId ? (tokens.get(budgetTokenId) ?? 0) : user
    const covered = Math.max(0, Math.min(charge.quota, user, token))
    if (covered < charge.quota) {
      outcomes.set(settlement, 'lost')
      if (!isJournaled && !charge.isDelivered) continue
      limited.set(settlement, { ...settlement, charge: limitCharge(charge, covered) })
    }
    users.set(charge.userId, user - covered)
    if (budgetTokenId) tokens.set(budgetTokenId, token - covered)
  }
  return limited
}

/** Returns the free quota of each balance, and locks the rows until the transaction ends. */
async function freeByAccount(
  trx: Knex.Transaction,
  kind: AccountKind,
  { ids, groupDebts }: { ids: readonly number[]; groupDebts: GroupDebts },
): Promise<Map<number, number>> {
  const unique = [...new Set(ids)].filter((id) => id > 0)
  if (unique.length === 0) return new Map()
  const { table, balance, debt } = ACCOUNTS[kind]
  const rows: (BalanceRow & { id: number })[] = await trx(table)
    .whereIn('id', unique)
    .orderBy('id')
    .forUpdate()
    .select('id', balance, 'held_quota', ...debt)
  return new Map(rows.map((row) => [row.id, freeOf(kind, row, groupDebts)]))
}

/**
 * Returns the charge with a smaller quota. The receipt then states the usage and the part of the price that was not
 * charged. The task's row gets the same quota. Otherwise, a failed task would refund more than was charged.
 */
function limitCharge(charge: Charge, quota: number): Charge {
  const { task } = charge
  const limited = { ...charge, quota, other: withUncovered(charge.other, charge.quota - quota) }
  return task ? { ...limited, task: { ...task, row: { ...task.row, quota } } } : limited
}

function withUncovered(other: string, uncovered: number): string {
  if (!other.startsWith('{')) return other
  return JSON.stringify({ ...JSON.parse(other), incomplete: true, uncovered })
}
