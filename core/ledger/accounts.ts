import type { Knex } from 'knex'

/** The two kinds of balance that a hold rests on, and where each lives. */
export type AccountKind = 'user' | 'token'
export const ACCOUNTS = {
  user: { table: 'users', balance: 'quota' },
  token: { table: 'tokens', balance: 'remain_quota' },
} as const satisfies Record<AccountKind, { table: string; balance: string }>

/** Above this many times what is wanted, a balance is ample: a process sets a whole slice of it aside. */
const AMPLE = 64
/** The slice, as a part of what is free: a process that dies keeps no more than this from its owner for a minute. */
const SLICE = 1 / 32

/** How much to set aside for one process that wants `wanted` of a balance with `free` left. Never more than is free. */
export function reservation({ wanted, free }: { wanted: number; free: number }): number {
  if (free <= 0) return 0
  if (free >= wanted * AMPLE) return wanted + Math.floor((free - wanted) * SLICE)
  return Math.min(wanted, free)
}

/**
 * Sets a part of a balance aside for one process. The row is locked and its condition checked in the UPDATE itself, so
 * that of many processes no two get the same quota. Answers what was set aside and what was free before.
 */
export async function reserve(
  trx: Knex.Transaction,
  { nodeId, kind, id, wanted }: { nodeId: string; kind: AccountKind; id: number; wanted: number },
): Promise<{ granted: number; free: number }> {
  const { table, balance } = ACCOUNTS[kind]
  const row = (await trx(table).where({ id }).forUpdate().first(balance, 'held_quota')) as
    | Record<string, number>
    | undefined
  const free = row ? (row[balance] ?? 0) - (row.held_quota ?? 0) : 0
  const granted = reservation({ wanted, free })
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
  const key = { node_id: nodeId, account: kind, account_id: id }
  // The process was taken for dead and its holds were given back already: nothing is left to give.
  if ((await trx('holds').where(key).where('quota', '>=', quota).decrement('quota', quota)) === 0) return
  await trx(ACCOUNTS[kind].table).where({ id }).decrement('held_quota', quota)
  await trx('holds')
    .where({ ...key, quota: 0 })
    .delete()
}
