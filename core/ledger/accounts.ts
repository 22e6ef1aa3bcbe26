import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import { ACCOUNTS, type AccountKind, type BalanceRow, type GroupDebts } from './balances.ts'
import { lockEpoch, lowerHeld } from './nodes.ts'
import { grantOf, type Want } from './want.ts'

/** A process reserves quota for later requests if the free balance is at least this many times the requested quota. */
export const AMPLE_FACTOR = 64
/**
 * The free balance divided by this number is reserved for later requests. If the process dies, this part is blocked for
 * a minute.
 */
export const ADVANCE_DIVISOR = 32

interface Reservation {
  /** The quota that the process adds to its reserve. */
  granted: number
  /** The quota of each waiting request, or undefined if the request is rejected. */
  grants: readonly (number | undefined)[]
}

/**
 * Returns how much of a balance one process reserves for `wants`, at most `free`. If the balance is small, the process
 * reserves only what the wants need, in order. So other processes can use the remaining quota.
 *
 * `free` is the quota of the balance that no process has reserved. `spare` is the unused part of this process's
 * reserve. `spare` is below 0 if the reserve does not cover the open holds.
 */
export function reservation(balance: { spare: number; wants: readonly Want[]; free: number }): Reservation {
  const { spare, wants, free } = balance
  const wanted = wants.reduce((sum, { quota }) => sum + quota, 0)
  const missing = Math.max(0, wanted - spare)
  if (free > 0 && free >= missing * AMPLE_FACTOR) {
    const advance = Math.floor((free - missing) / ADVANCE_DIVISOR)
    return { granted: missing + advance, grants: wants.map(({ quota }) => quota) }
  }
  // If `free` is below 0, the balance was lowered below the sum of the reserves.
  let room = free + spare
  let grantedSum = 0
  const grants = wants.map((want, at) => {
    const grant = grantOf(want, { room, waiting: wants.length - at })
    room -= grant ?? 0
    grantedSum += grant ?? 0
    return grant
  })
  return { granted: Math.min(Math.max(0, free), Math.max(0, grantedSum - spare)), grants }
}

// To prevent deadlocks, all transactions lock in this order: the process, users by id, tokens by id, reserves.

/** A change of one process's reserve. The row stores `operation`, which shows the outcome if the reply is lost. */
interface ReserveChange {
  nodeId: string
  kind: AccountKind
  id: number
  operation: number
}

const keyOf = ({ nodeId, kind, id }: ReserveChange) => ({ node_id: nodeId, account: kind, account_id: id })

/** Returns the quota of a balance that no process has reserved, plus its permitted debt. */
export function freeOf(kind: AccountKind, row: BalanceRow, groupDebts: GroupDebts): number {
  return (row[ACCOUNTS[kind].balance] ?? 0) - (row.held_quota ?? 0) + debtLimitOf(row, groupDebts)
}

function debtLimitOf({ debt_limit = 0, group = '', kind }: BalanceRow, groupDebts: GroupDebts): number {
  // Debt limits of groups do not apply to teams. Otherwise a user could create many teams and owe without limit.
  if (kind === USER_KIND.team) return 0
  return Math.max(debt_limit, Object.hasOwn(groupDebts, group) ? Math.trunc(groupDebts[group] ?? 0) : 0)
}

/**
 * Reserves a part of a balance for one process. Locks the row first, so that two processes never get the same quota.
 * Returns the reservation and the quota that was free before the reservation. Returns undefined if the process's epoch
 * has ended.
 */
export async function reserveQuota(
  trx: Knex.Transaction,
  change: ReserveChange & { spare: number; wants: readonly Want[]; groupDebts: GroupDebts },
): Promise<(Reservation & { free: number }) | undefined> {
  const { nodeId, kind, id, operation, spare, wants, groupDebts } = change
  if (!(await lockEpoch(trx, nodeId))) return undefined
  const { table, balance, debt } = ACCOUNTS[kind]
  const row = await trx(table)
    .where({ id })
    .forUpdate()
    .first(balance, 'held_quota', ...debt)
  const free = row ? freeOf(kind, row, groupDebts) : 0
  const reserved = reservation({ spare, wants, free })
  const { granted } = reserved
  if (granted === 0) return { ...reserved, free }
  await trx(table).where({ id }).increment('held_quota', granted)
  await trx('holds')
    .insert({ ...keyOf(change), quota: granted, operation })
    .onConflict(['node_id', 'account', 'account_id'])
    .merge({ quota: trx.raw('holds.quota + ?', [granted]), operation })
  return { ...reserved, free }
}

/**
 * Returns a part of a process's reserve to its balance. The caller has locked the account, and checked that the epoch
 * has not ended. Returns the quota that was removed, which is less than `quota` if the reserve was smaller.
 */
export async function unreserve(trx: Knex.Transaction, change: ReserveChange & { quota: number }): Promise<number> {
  const { kind, id, quota, operation } = change
  const reserve = trx('holds').where(keyOf(change))
  // A deleted account has no row to lock. Only the lock on the reserve then excludes a charge that changes the reserve.
  const row = await reserve.clone().forUpdate().first('quota')
  const removed = Math.min(quota, row?.quota ?? 0)
  if (row && removed === row.quota) await reserve.delete()
  else if (row) await reserve.update({ quota: row.quota - removed, operation })
  if (removed > 0) await lowerHeld(trx, { kind, id, quota: removed })
  return removed
}

/**
 * Returns the quota that the process must add to its reserve in memory, after the reply to the COMMIT of an operation
 * was lost: what it has reserved, or what it has not given back. If the transaction of the operation is still open,
 * first waits for its end. Afterward, the operation can have no effect. Returns undefined if the process's epoch has
 * ended. The quota of a change is undefined if only the database knows it.
 */
export async function quotaToAdd(
  trx: Knex.Transaction,
  change: ReserveChange & { act: 'reserve' | 'give-back'; quota: number | undefined },
): Promise<number | undefined> {
  const { nodeId, act, operation, quota } = change
  if (!(await lockEpoch(trx, nodeId))) return undefined
  await lockAccount(trx, change)
  const row = await trx('holds').where(keyOf(change)).first('operation', 'granted')
  if (act === 'give-back') {
    // Without a row, the operation gave back the whole reserve.
    return row && row.operation !== operation ? (quota ?? 0) : 0
  }
  if (row?.operation === operation) return quota ?? row.granted
  if (quota !== undefined) return 0
  // The server may not have begun to run the lost statement. It will find this number, and do nothing.
  await trx('holds')
    .insert({ ...keyOf(change), quota: 0, operation })
    .onConflict(['node_id', 'account', 'account_id'])
    .merge({ operation })
  return 0
}

/** Locks the row of a balance, if it is not deleted. */
export async function lockAccount(
  trx: Knex.Transaction,
  { kind, id }: Pick<ReserveChange, 'kind' | 'id'>,
): Promise<void> {
  await trx(ACCOUNTS[kind].table).where({ id }).forUpdate().first('id')
}
