import type { Knex } from 'knex'
import { ACCOUNTS, type AccountKind } from './balances.ts'

/** A process is taken for dead when it has not been seen for this long; with one look every 10 s, under a minute. */
export const DEAD_AFTER_S = 30

/** Says that a process lives. `false`: it was taken for dead meanwhile, and its holds are gone. */
export async function heartbeat(
  trx: Knex.Transaction,
  { nodeId, now }: { nodeId: string; now: number },
): Promise<boolean> {
  return (await trx('nodes').where({ id: nodeId }).update({ seen_at: now })) === 1
}

export async function register(trx: Knex.Transaction, { nodeId, now }: { nodeId: string; now: number }): Promise<void> {
  await trx('nodes').insert({ id: nodeId, started_at: now, seen_at: now })
}

/** Gives the holds of processes that were not seen lately back to their balances. */
export async function releaseDead(trx: Knex.Transaction, now: number): Promise<void> {
  // Locked until the end: a process that shows up now waits, and then finds itself gone.
  const dead: string[] = await trx('nodes')
    .where('seen_at', '<', now - DEAD_AFTER_S)
    .orderBy('id')
    .forUpdate()
    .pluck('id')
  if (dead.length === 0) return
  await trx('nodes').whereIn('id', dead).delete()
  await releaseHolds(trx, dead)
}

/** Whether a process is on the list; on PostgreSQL nobody can take it off before the transaction ends. */
export async function isRegistered(trx: Knex.Transaction, nodeId: string): Promise<boolean> {
  return (await trx('nodes').where({ id: nodeId }).forKeyShare().first('id')) !== undefined
}

/** Takes a process off the list, with all that it still holds. */
export async function unregister(trx: Knex.Transaction, nodeId: string): Promise<void> {
  await trx('nodes').where({ id: nodeId }).delete()
  await releaseHolds(trx, [nodeId])
}

/** Its processes are off the list by now, so nobody else changes these holds. What they knew of channels goes with them. */
async function releaseHolds(trx: Knex.Transaction, nodeIds: string[]): Promise<void> {
  const holds = (await trx('holds')
    .whereIn('node_id', nodeIds)
    .orderBy([{ column: 'account', order: 'desc' }, 'account_id'])
    .select('account', 'account_id', 'quota')) as { account: AccountKind; account_id: number; quota: number }[]
  for (const { account, account_id, quota } of holds) {
    await trx(ACCOUNTS[account].table).where({ id: account_id }).decrement('held_quota', quota)
  }
  await trx('holds').whereIn('node_id', nodeIds).delete()
  await trx('channel_circuits').whereIn('node_id', nodeIds).delete()
}
