import type { Knex } from 'knex'
import { ACCOUNTS, type AccountKind } from './balances.ts'
import { isRegistered } from './nodes.ts'

/** Above this many times what is wanted, a balance is ample: a process sets a whole slice of it aside. */
const AMPLE = 64
/** The slice, as a part of what is free: a process that dies keeps no more than this from its owner for a minute. */
const SLICE = 1 / 32

/**
 * How much to set aside for one process whose requests want `wants` of a balance with `free` left, while `spare` of what
 * it has set aside before is unused. Never more than is free; near the limit no more than those wants take that fit,
 * in their order, so that a rest which is of no use here is there for another process.
 */
export function reservation({ spare, wants, free }: { spare: number; wants: readonly number[]; free: number }): number {
  if (free <= 0) return 0
  const wanted = wants.reduce((sum, want) => sum + want, -spare)
  if (free >= wanted * AMPLE) return wanted + Math.floor((free - wanted) * SLICE)
  let room = free + spare
  let fitting = 0
  for (const want of wants) {
    if (want > room) continue
    room -= want
    fitting += want
  }
  return Math.min(free, Math.max(0, fitting - spare))
}

/*
 * Who locks rows locks them in this order, so that no two transactions wait for each other: the process, users by id,
 * tokens by id, holds.
 */

/**
 * Sets a part of a balance aside for one process. The row is locked first, so that of many processes no two get the same
 * quota. Answers what was set aside and what was free before; undefined when the process was taken for dead, since
 * nobody would ever give back what it sets aside now.
 */
export async function reserve(
  trx: Knex.Transaction,
  {
    nodeId,
    kind,
    id,
    spare,
    wants,
  }: { nodeId: string; kind: AccountKind; id: number; spare: number; wants: readonly number[] },
): Promise<{ granted: number; free: number } | undefined> {
  if (!(await isRegistered(trx, nodeId))) return undefined
  const { table, balance } = ACCOUNTS[kind]
  const row = (await trx(table).where({ id }).forUpdate().first(balance, 'held_quota')) as
    | Record<string, number>
    | undefined
  const free = row ? (row[balance] ?? 0) - (row.held_quota ?? 0) : 0
  const granted = reservation({ spare, wants, free })
  if (granted === 0) return { granted, free }
  await trx(table).where({ id }).increment('held_quota', granted)
  await trx('holds')
    .insert({ node_id: nodeId, account: kind, account_id: id, quota: granted })
    .onConflict(['node_id', 'account', 'account_id'])
    .merge({ quota: trx.raw('holds.quota + ?', [granted]) })
  return { granted, free }
}

/** Gives a part of what one process had set aside back to its balance. */
export async function unreserve(
  trx: Knex.Transaction,
  { nodeId, kind, id, quota }: { nodeId: string; kind: AccountKind; id: number; quota: number },
): Promise<void> {
  if (!(await isRegistered(trx, nodeId))) return
  const key = { node_id: nodeId, account: kind, account_id: id }
  await trx(ACCOUNTS[kind].table).where({ id }).forUpdate().first('id')
  // The process was taken for dead and its holds were given back already: nothing is left to give.
  if ((await trx('holds').where(key).where('quota', '>=', quota).decrement('quota', quota)) === 0) return
  await trx(ACCOUNTS[kind].table).where({ id }).decrement('held_quota', quota)
  await trx('holds')
    .where({ ...key, quota: 0 })
    .delete()
}
