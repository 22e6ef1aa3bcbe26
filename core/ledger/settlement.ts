import type { Knex } from 'knex'
import { UNCHARGED } from '../batches/rows.ts'
import { inParts } from '../in-parts.ts'
import type { GroupDebts } from './balances.ts'
import {
  type HoldShrink,
  type RowTotals,
  type Settlement,
  sumSettlements,
  toEntryRow,
  toLogRow,
  toTaskRow,
} from './batch.ts'
import { addCarried } from './carried.ts'
import { appendEntries, type Sign } from './chain.ts'
import type { NewTask, SettleOutcome } from './charge.ts'
import { addHours, recordUncountedHours } from './hours.ts'
import { limitToBalance } from './limit.ts'
import { lockEpochs } from './nodes.ts'

/** SQLite allows 32 766 parameters per statement, PostgreSQL 65 535. */
const ROWS_PER_INSERT = 1000

/** The columns that a settlement changes, by table: column, sign, and the total that is added or subtracted. */
export const SETTLED_COLUMNS = {
  users: [
    ['quota', '-', 'quota'],
    ['used_quota', '+', 'quota'],
    ['request_count', '+', 'count'],
    ['held_quota', '-', 'shrink'],
  ],
  tokens: [
    ['remain_quota', '-', 'quota'],
    ['used_quota', '+', 'quota'],
    ['held_quota', '-', 'shrink'],
  ],
  channels: [['used_quota', '+', 'quota']],
} as const satisfies Record<string, readonly (readonly [string, '+' | '-', keyof RowTotals])[]>

export interface SettlementContext {
  /** The current epoch. */
  nodeId: string
  /** Unix seconds. */
  now: number
  /** Whether charges get log rows. */
  hasLogRows: boolean
  /** Whether charges are counted for the dashboard. */
  isCounted: boolean
  sign: Sign
  groupDebts: GroupDebts
}

/** The outcome of a batch. */
export interface SettlementResult {
  /** The written settlements, each with its possibly limited version. The others have an outcome or were booked. */
  written: ReadonlyMap<Settlement, Settlement>
  /** The outcomes other than `settled`. */
  outcomes: ReadonlyMap<Settlement, SettleOutcome>
  /** Whether the current epoch has not ended. */
  isCurrent: boolean
}

/**
 * Writes a batch of settlements in the caller's transaction: log rows or ledger entries, tasks, totals of users, tokens
 * and channels, and dashboard counts. Skips request ids that are already booked, so that a batch can be retried. Limits
 * charges of ended epochs to the remaining balance. Throws ReserveMismatch.
 */
export async function writeSettlements(
  trx: Knex.Transaction,
  settlements: readonly Settlement[],
  { nodeId, now, hasLogRows, isCounted, sign, groupDebts }: SettlementContext,
): Promise<SettlementResult> {
  const registered = await lockEpochs(trx, epochsOf(settlements, nodeId))
  const unique = [...new Map(settlements.map((settlement) => [settlement.charge.requestId, settlement])).values()]
  const newIds = await findNew(trx, unique)
  const unwritten = unique.filter(({ charge }) => newIds.has(charge.requestId))
  const outcomes = new Map<Settlement, SettleOutcome>()
  const ended = unwritten.filter((settlement) => !registered.has(settlement.nodeId))
  const limited = ended.length > 0 ? await limitToBalance(trx, ended, { outcomes, groupDebts }) : new Map()
  // A limited settlement is written instead of the original, but the outcome is reported for the original.
  const entries = unwritten.flatMap((original) => {
    if (outcomes.get(original) === 'lost' && !limited.has(original)) return []
    return [{ original, settlement: limited.get(original) ?? original }]
  })
  if (hasLogRows) await insertLogs(trx, entries)
  const written = new Map<Settlement, Settlement>()
  for (const { original, settlement } of entries) {
    const { requestId, task } = settlement.charge
    if (!task || (await insertTask(trx, task))) written.set(original, settlement)
    else {
      outcomes.set(original, 'task-exists')
      // Delete the log row that this transaction has inserted. No other transaction has seen this row.
      if (hasLogRows) await trx('logs').where({ request_id: requestId }).delete()
    }
  }
  const { users, tokens, channels, holds, userHours, modelHours } = sumSettlements([...written.values()], registered)
  await addTo(trx, 'users', users)
  await addTo(trx, 'tokens', tokens, `accessed_time = ${now}`)
  // Change the reserves after users and tokens. `accounts.ts` explains the lock order.
  await shrinkReserves(trx, holds)
  await addTo(trx, 'channels', channels)
  if (!hasLogRows) {
    const rows = [...written.values()].map(({ charge, at }) => toEntryRow(charge, at))
    await appendEntries(trx, rows, sign)
    await addCarried(trx, 'user', users)
    await addCarried(trx, 'token', tokens)
    await addCarried(trx, 'channel', channels)
  } else if (!isCounted) await recordUncountedHours(trx, userHours)
  if (isCounted) {
    await addHours(trx, 'quota_data', userHours)
    await addHours(trx, 'model_hours', modelHours)
  }
  return { written, outcomes, isCurrent: registered.has(nodeId) }
}

function epochsOf(settlements: readonly Settlement[], current: string): string[] {
  const epochs = new Set(settlements.map(({ nodeId }) => nodeId))
  epochs.add(current)
  epochs.delete('')
  return [...epochs]
}

async function insertLogs(trx: Knex.Transaction, entries: readonly { settlement: Settlement }[]): Promise<void> {
  for (const part of inParts(entries, ROWS_PER_INSERT)) {
    await trx('logs').insert(part.map(({ settlement: { charge, at } }) => toLogRow(charge, at)))
  }
}

/**
 * Returns the request ids that are not booked yet, in an entry or a log row. If another process books such an id at the
 * same time, the unique index rejects the batch, which is then retried. On PostgreSQL, this index covers only one
 * partition of the log. That is enough, because all attempts of a charge have the same time and so the same partition.
 */
async function findNew(trx: Knex.Transaction, settlements: readonly Settlement[]): Promise<Set<string>> {
  const ids = settlements.map(({ charge }) => charge.requestId)
  const entries = trx('ledger_entries').where({ kind: 'charge' }).whereIn('reference', ids)
  const bookedIds = new Set<string | null>(await entries.pluck('reference'))
  for (const id of await trx('logs').whereIn('request_id', ids).pluck('request_id')) bookedIds.add(id)
  return new Set(ids.filter((id) => !bookedIds.has(id)))
}

/** The unique index of unfinished tasks. An upstream may reuse the id of a finished task. */
const RUNNING_TASK = `(channel_id, key_digest, task_id) WHERE progress <> '100%' AND request_id <> ''`

const BATCH_KEY = ['api', 'channel_id', 'key_digest', 'batch_id'] as const

/**
 * Inserts a task. Inserts nothing if the table has an unfinished task with the same id and key, or a batch with the
 * same id. A batch replaces the row that was stored before its submission. Returns whether the task was inserted.
 */
export async function insertTask(trx: Knex.Transaction, task: NewTask): Promise<boolean> {
  if (task.table === 'batches') {
    const { user_id = 0, request_id = '' } = task.row
    await trx('batches')
      .where({ user_id: Number(user_id), request_id: String(request_id) })
      .whereRaw(UNCHARGED)
      .delete()
  }
  const insert = trx(task.table).insert(toTaskRow(task)).returning('id')
  // Ignore only conflicts of these ids. Any other conflict is an error, so that no charge is lost.
  if (task.table === 'tasks') return (await insert.onConflict(trx.raw(RUNNING_TASK)).ignore()).length > 0
  if (task.table === 'batches') return (await insert.onConflict([...BATCH_KEY]).ignore()).length > 0
  return (await insert).length > 0
}

/** Adds totals to the rows of a table, with one UPDATE for the whole batch. */
async function addTo(
  trx: Knex.Transaction,
  table: keyof typeof SETTLED_COLUMNS,
  totals: RowTotals[],
  extraAssignment = '',
): Promise<void> {
  if (totals.length === 0) return
  const ids = totals.map(({ id }) => id)
  // Lock in the order of ids, to prevent deadlocks between processes.
  if (ids.length > 1) await trx(table).whereIn('id', ids).orderBy('id').forUpdate().select('id')
  const delta = totals.map(() => '(CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint))')
  await trx.raw(
    addToSql(table, delta, extraAssignment),
    totals.flatMap(({ id, quota, count, shrink }) => [id, quota, count, shrink]),
  )
}

/** Returns the UPDATE that adds totals to a table. `delta` has a tuple `(id, quota, count, shrink)` for each row. */
export function addToSql(table: keyof typeof SETTLED_COLUMNS, delta: string[], extraAssignment = ''): string {
  const set = SETTLED_COLUMNS[table].map(([column, sign, of]) => `${column} = ${table}.${column} ${sign} delta.${of}`)
  return `WITH delta(id, quota, count, shrink) AS (VALUES ${delta.join(', ')})
    UPDATE ${table} SET ${[...set, extraAssignment].filter(Boolean).join(', ')} FROM delta WHERE ${table}.id = delta.id`
}

/** Thrown if the row of a reserve is missing, or has less quota than was spent. */
export class ReserveMismatch extends Error {
  override readonly name = 'ReserveMismatch'
}

/**
 * Subtracts the spent quota from the rows of reserves. Throws ReserveMismatch if a row has less quota, because
 * `held_quota` would then shrink by more than the reserves.
 */
async function shrinkReserves(trx: Knex.Transaction, holds: readonly HoldShrink[]): Promise<void> {
  if (holds.length === 0) return
  const delta = holds.map(() => '(CAST(? AS varchar(64)), CAST(? AS varchar(8)), CAST(? AS bigint), CAST(? AS bigint))')
  const shrunk = await trx.raw(
    `${shrinkSql(delta)} AND holds.quota >= delta.quota RETURNING holds.account_id`,
    holds.flatMap(({ nodeId, account, id, quota }) => [nodeId, account, id, quota]),
  )
  const rows: unknown[] = Array.isArray(shrunk) ? shrunk : shrunk.rows
  if (rows.length !== holds.length) throw new ReserveMismatch('A reserve holds less than what was spent of it')
}

/** Returns the UPDATE that shrinks reserves. `delta` has a tuple `(node_id, account, id, quota)` for each reserve. */
export function shrinkSql(delta: string[]): string {
  return `WITH delta(node_id, account, id, quota) AS (VALUES ${delta.join(', ')})
    UPDATE holds SET quota = holds.quota - delta.quota FROM delta
    WHERE holds.node_id = delta.node_id AND holds.account = delta.account AND holds.account_id = delta.id`
}
