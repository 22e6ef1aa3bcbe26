import type { Knex } from 'knex'
import {
  addUp,
  type HoldShrink,
  type Row,
  type Settlement,
  type Totals,
  toEntryRow,
  toLogRow,
  toTaskRow,
} from './batch.ts'
import type { NewTask } from './charge.ts'

/** SQLite allows 32 766 parameters in a statement, PostgreSQL 65 535. */
const ROWS_PER_INSERT = 1000

/** What a settled row changes in each table, as columns and the totals they gain or lose. */
export const CHANGES = {
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
} as const satisfies Record<string, readonly (readonly [string, '+' | '-', keyof Totals])[]>

export interface WriteContext {
  /** What this process is called now: only what it has set aside under this id shrinks. */
  nodeId: string
  now: number
  /** Whether charges get log rows, and whether they are counted for the dashboard. */
  logged: boolean
  counted: boolean
}

/** What became of a batch. Of what is in neither, the request id was in the books already. */
export interface Written {
  written: ReadonlySet<Settlement>
  /** Those whose task there was already: nothing of them is in the books. */
  refused: ReadonlySet<Settlement>
}

/**
 * Writes a batch of settlements: log rows, tasks, user, token and channel totals and dashboard counts, all in the caller's
 * transaction. A request id that is in the books already is passed over, so that a batch can be written again.
 */
export async function writeSettlements(
  trx: Knex.Transaction,
  settlements: readonly Settlement[],
  { nodeId, now, logged, counted }: WriteContext,
): Promise<Written> {
  const byId = new Map(settlements.map((settlement) => [settlement.charge.requestId, settlement]))
  const charges = [...byId.values()].map(({ charge }) => charge)
  const fresh = logged
    ? await insertNew(trx, 'logs', { rows: charges.map((charge) => toLogRow(charge, now)), key: 'request_id' })
    : await insertNew(trx, 'ledger_entries', {
        rows: charges.map((charge) => toEntryRow(charge, now)),
        key: 'reference',
      })
  const refused = new Set<Settlement>()
  const written: Settlement[] = []
  for (const settlement of byId.values()) {
    const { requestId, task } = settlement.charge
    if (!fresh.has(requestId)) continue
    if (!task || (await insertTask(trx, task))) written.push(settlement)
    else {
      refused.add(settlement)
      // It was never in the books: the transaction that wrote it is this one.
      await (logged ? trx('logs').where({ request_id: requestId }) : entryOf(trx, requestId)).delete()
    }
  }
  const { users, tokens, channels, holds, dashboard } = addUp(written, { now, nodeId })
  await addTo(trx, 'users', users)
  await addTo(trx, 'tokens', tokens, `accessed_time = ${now}`)
  // After the users and tokens, as whoever reserves does: see `accounts.ts`.
  await shrinkHolds(trx, nodeId, holds)
  await addTo(trx, 'channels', channels)
  if (counted) await addDashboardCounts(trx, dashboard)
  return { written: new Set(written), refused }
}

const entryOf = (trx: Knex.Transaction, reference: string) => trx('ledger_entries').where({ kind: 'charge', reference })

/** Keeps a task, unless its upstream has another by that name which is not finished. Answers whether it is kept. */
export async function insertTask(trx: Knex.Transaction, task: NewTask): Promise<boolean> {
  const inserted = await trx(task.table).insert(toTaskRow(task)).onConflict().ignore().returning('id')
  return inserted.length > 0
}

/** Inserts rows whose key is new. Answers the keys that were. */
async function insertNew(
  trx: Knex.Transaction,
  table: string,
  { rows, key }: { rows: Row[]; key: string },
): Promise<Set<string>> {
  const fresh = new Set<string>()
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const part = rows.slice(start, start + ROWS_PER_INSERT)
    const inserted = await trx(table).insert(part).onConflict().ignore().returning(key)
    for (const row of inserted) fresh.add(String(row[key]))
  }
  return fresh
}

/** Adds each row's totals to its columns: one UPDATE for the whole batch, in the order of the ids. */
async function addTo(trx: Knex.Transaction, table: keyof typeof CHANGES, totals: Totals[], also = ''): Promise<void> {
  if (totals.length === 0) return
  const ids = totals.map(({ id }) => id)
  // Locking in one order keeps two processes from waiting for each other.
  if (ids.length > 1) await trx(table).whereIn('id', ids).orderBy('id').forUpdate().select('id')
  const delta = totals.map(() => '(CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint))')
  await trx.raw(
    addToSql(table, delta, also),
    totals.flatMap(({ id, quota, count, shrink }) => [id, quota, count, shrink]),
  )
}

/** `delta`: one `(id, quota, count, shrink)` for each row. */
export function addToSql(table: keyof typeof CHANGES, delta: string[], also = ''): string {
  const set = CHANGES[table].map(([column, sign, of]) => `${column} = ${table}.${column} ${sign} delta.${of}`)
  return `WITH delta(id, quota, count, shrink) AS (VALUES ${delta.join(', ')})
    UPDATE ${table} SET ${[...set, also].filter(Boolean).join(', ')} FROM delta WHERE ${table}.id = delta.id`
}

/** Takes what was spent off this process's holds. */
async function shrinkHolds(trx: Knex.Transaction, nodeId: string, holds: HoldShrink[]): Promise<void> {
  if (holds.length === 0) return
  const delta = holds.map(() => '(CAST(? AS varchar(8)), CAST(? AS bigint), CAST(? AS bigint))')
  await trx.raw(shrinkSql(delta, '?'), [...holds.flatMap(({ account, id, quota }) => [account, id, quota]), nodeId])
}

/** `delta`: one `(account, id, quota)` for each hold. */
export function shrinkSql(delta: string[], nodeId: string): string {
  return `WITH delta(account, id, quota) AS (VALUES ${delta.join(', ')})
    UPDATE holds SET quota = holds.quota - delta.quota FROM delta
    WHERE holds.node_id = ${nodeId} AND holds.account = delta.account AND holds.account_id = delta.id`
}

async function addDashboardCounts(trx: Knex.Transaction, dashboard: Row[]): Promise<void> {
  if (dashboard.length === 0) return
  await trx('quota_data')
    .insert(dashboard)
    .onConflict(['user_id', 'created_at', 'model_name', 'username'])
    .merge({
      count: trx.raw('quota_data.count + excluded.count'),
      quota: trx.raw('quota_data.quota + excluded.quota'),
      token_used: trx.raw('quota_data.token_used + excluded.token_used'),
    })
}
