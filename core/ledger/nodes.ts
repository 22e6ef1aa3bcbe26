import type { Knex } from 'knex'
import { inParts } from '../in-parts.ts'
import { releaseShares } from '../limits/shares.ts'
import { keysOf } from '../records.ts'
import { ACCOUNTS, type AccountKind } from './balances.ts'

/** The row of a process that uses the ledger. */
export interface NodeRow {
  /** The id of the process's epoch. */
  id: string
  /** Number of the last beat. */
  beats: number
  /** Time of the last beat in Unix seconds, by the database's clock. */
  seen_at: number
}

export async function registerNode(
  trx: Knex.Transaction,
  { id, seenAt }: { id: string; seenAt: number },
): Promise<void> {
  await trx('nodes').insert({ id, started_at: seenAt, seen_at: seenAt, beats: 0 })
}

/**
 * Writes a beat of a process. Returns `false` if its epoch has ended, or if another process writes beats under the same
 * id. `expected` has the lowest and highest `beats` that the row may have. They differ if the outcome of earlier beats
 * is unknown.
 */
export async function beat(
  trx: Knex.Transaction,
  { id, expected, next, seenAt }: { id: string; expected: { min: number; max: number }; next: number; seenAt: number },
): Promise<boolean> {
  const updated = await trx('nodes')
    .where({ id })
    .whereBetween('beats', [expected.min, expected.max])
    .update({ beats: next, seen_at: seenAt })
  return updated === 1
}

export async function listNodes(db: Knex): Promise<NodeRow[]> {
  return db('nodes').orderBy('id').select<NodeRow[]>('id', 'beats', 'seen_at')
}

/** Prevents the end of an epoch until the transaction ends. Returns false if the epoch has already ended. */
export async function lockEpoch(trx: Knex.Transaction, id: string): Promise<boolean> {
  return (await lockEpochs(trx, [id])).has(id)
}

/** Returns the epochs that have not ended. On PostgreSQL, row locks prevent their end until the transaction ends. */
export async function lockEpochs(trx: Knex.Transaction, ids: readonly string[]): Promise<Set<string>> {
  return new Set<string>(await trx('nodes').whereIn('id', ids).orderBy('id').forKeyShare().pluck('id'))
}

/** Ends the epochs of dead processes and releases their reserves. Skips processes that have written a new beat. */
export async function endEpochs(trx: Knex.Transaction, dead: readonly NodeRow[]): Promise<void> {
  const endedIds: string[] = []
  for (const { id, beats } of dead) {
    // If the process writes a beat at the same time, only one of the two statements matches the row.
    if ((await trx('nodes').where({ id, beats }).delete()) === 1) endedIds.push(id)
  }
  if (endedIds.length) await releaseReserves(trx, endedIds)
}

/** Ends the epoch of this process, and releases all its reserves. */
export async function unregister(trx: Knex.Transaction, id: string): Promise<void> {
  await trx('nodes').where({ id }).delete()
  await releaseReserves(trx, [id])
}

/** Deletes the reserves, circuits and limit shares of ended epochs. */
async function releaseReserves(trx: Knex.Transaction, nodeIds: readonly string[]): Promise<void> {
  const reserved = await trx('holds').whereIn('node_id', nodeIds).select('account', 'account_id')
  for (const account of keysOf(ACCOUNTS)) {
    const ids = reserved.filter((row) => row.account === account).map(({ account_id }) => account_id)
    await lockAccounts(trx, account, [...new Set(ids)])
  }
  // Read the quota only now: before the locks, a charge may have changed it.
  const placeholders = nodeIds.map(() => '?').join(', ')
  const deleted = await trx.raw(
    `DELETE FROM holds WHERE node_id IN (${placeholders}) RETURNING account, account_id, quota`,
    [...nodeIds],
  )
  const released: Reserved[] = Array.isArray(deleted) ? deleted : deleted.rows
  for (const account of keysOf(ACCOUNTS)) {
    const ofAccount = released.filter((row) => row.account === account)
    await lowerAll(trx, account, ofAccount)
  }
  await trx('channel_circuits').whereIn('node_id', nodeIds).delete()
  await releaseShares(trx, nodeIds)
}

interface Reserved {
  account: AccountKind
  account_id: number
  quota: number
}

const LOCKED_AT_ONCE = 1000
const LOWERED_AT_ONCE = 500

/** Like `lowerHeld`, but with one statement for many rows, because relays wait while reserves are released. */
async function lowerAll(trx: Knex.Transaction, kind: AccountKind, released: readonly Reserved[]): Promise<void> {
  const { table } = ACCOUNTS[kind]
  const sums = new Map<number, number>()
  for (const { account_id, quota } of released) sums.set(account_id, (sums.get(account_id) ?? 0) + quota)
  for (const part of inParts([...sums], LOWERED_AT_ONCE)) {
    const delta = part.map(() => '(CAST(? AS bigint), CAST(? AS bigint))').join(', ')
    await trx.raw(
      `WITH delta(id, quota) AS (VALUES ${delta})
      UPDATE ${table} SET held_quota = CASE WHEN held_quota > delta.quota THEN held_quota - delta.quota ELSE 0 END
      FROM delta WHERE ${table}.id = delta.id`,
      part.flat(),
    )
  }
}

async function lockAccounts(trx: Knex.Transaction, kind: AccountKind, ids: number[]): Promise<void> {
  ids.sort((a, b) => a - b)
  for (const part of inParts(ids, LOCKED_AT_ONCE)) {
    await trx(ACCOUNTS[kind].table).whereIn('id', part).orderBy('id').forUpdate().select('id')
  }
}

/** Subtracts a removed reserve from `held_quota`, down to 0. Only a manual edit can make `held_quota` too small. */
export async function lowerHeld(
  trx: Knex.Transaction,
  { kind, id, quota }: { kind: AccountKind; id: number; quota: number },
): Promise<void> {
  await trx(ACCOUNTS[kind].table)
    .where({ id })
    .update({ held_quota: trx.raw('CASE WHEN held_quota > ? THEN held_quota - ? ELSE 0 END', [quota, quota]) })
}
