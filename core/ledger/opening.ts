import type { Knex } from 'knex'
import { bulkAdd, findAmong } from '../db/bulk-insert.ts'
import { GatewayError } from '../errors.ts'
import { inParts } from '../in-parts.ts'
import { BALANCE_MAX } from '../input.ts'
import { addCarried, type UsedAccount } from './carried.ts'
import { appendEntries, type Sign } from './chain.ts'

const ENTRIES_AT_ONCE = 5000

/** The change of a user's balance by an import from another program, or by the undo of an import. */
interface Opening {
  userId: number
  /** Quota that is added to the balance. Negative if the balance falls. */
  quota: number
  /** Unique, so that an opening is booked only once. */
  reference: string
}

/**
 * Changes many balances, each with an `opening` entry, in the caller's transaction. A user whose balance does not
 * change gets no entry. Throws BALANCE_TOO_LARGE.
 */
export async function openBalances(
  trx: Knex.Transaction,
  openings: readonly Opening[],
  { now, sign, actorId, note }: { now: number; sign: Sign; actorId: number; note: string },
): Promise<void> {
  const changed = openings.filter(({ quota }) => quota !== 0)
  for (const part of inParts(changed, ENTRIES_AT_ONCE)) {
    const increments = part.map(({ userId, quota }) => [userId, quota])
    await bulkAdd(trx, 'users', ['quota'], increments)
    const balances = await findAmong<{ id: number; quota: number }>(trx, 'users', {
      column: 'id',
      values: part.map(({ userId }) => userId),
      select: ['id', 'quota'],
    })
    const after = new Map(balances.map(({ id, quota }) => [id, quota]))
    if (balances.some(({ quota }) => Math.abs(quota) > BALANCE_MAX)) {
      throw new GatewayError('BALANCE_TOO_LARGE', { max: BALANCE_MAX })
    }
    const rows = part.map(({ userId, quota, reference }) => ({
      user_id: userId,
      kind: 'opening',
      quota,
      balance_after: after.get(userId) ?? 0,
      actor_id: actorId,
      reference,
      note,
      created_at: now,
    }))
    await appendEntries(trx, rows, sign)
  }
}

const TABLES = { user: 'users', token: 'tokens', channel: 'channels' } as const

/**
 * Adds usage in another program to `used_quota`, and records it as usage without log rows. `count` is only recorded,
 * because the user's `request_count` already includes these requests. The caller has inserted or locked the rows.
 */
export async function openUsed(
  trx: Knex.Transaction,
  account: UsedAccount,
  sums: readonly { id: number; quota: number; count?: number }[],
): Promise<void> {
  const changed = sums.filter(({ quota }) => quota !== 0)
  const increments = changed.map(({ id, quota }) => [id, quota])
  await bulkAdd(trx, TABLES[account], ['used_quota'], increments)
  await addCarried(trx, account, sums)
}

/** Adds to token budgets. `quota` is the remaining quota. `used` is the quota that was used in another program. */
export async function openBudgets(
  trx: Knex.Transaction,
  budgets: readonly { id: number; quota: number; used: number }[],
): Promise<void> {
  const changed = budgets.filter(({ quota, used }) => quota !== 0 || used !== 0)
  await bulkAdd(
    trx,
    'tokens',
    ['remain_quota', 'granted_quota'],
    changed.map(({ id, quota, used }) => [id, quota, quota + used]),
  )
  const usages = changed.map(({ id, used }) => ({ id, quota: used }))
  await openUsed(trx, 'token', usages)
}
