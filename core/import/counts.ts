import type { Knex } from 'knex'
import { bulkInsert, type InsertedValue } from '../db/bulk-insert.ts'
import { inParts } from '../in-parts.ts'
import type { MapContext } from './mappers/mapper.ts'
import { readBatches, type Source, type SourceRow } from './sources/source.ts'
import { storable, toInteger } from './values.ts'

const HOUR_S = 3600
const ROWS_AT_ONCE = 5000
const MODEL_MAX = 255
const USERNAME_MAX = 64

/**
 * Import progress of the source's hourly usage counts (`quota_data`). The source may still increase the rows of the
 * last hours. Their sums are stored by row id, so that the next import adds only the difference.
 */
export interface CountsState {
  /** Highest id of the rows that were imported or skipped. */
  done: number
  /** Start of an hour in Unix seconds. The source may still increase the rows of this and later hours. */
  hour: number
  /** Imported count, quota and tokens of rows that may still grow, by row id. 0 if the user was not imported. */
  open: Record<string, [number, number, number]>
}

export const NO_COUNTS: CountsState = { done: 0, hour: 0, open: {} }

/** User id, username, hour (Unix seconds), model, and the count, quota and tokens to add. */
export type AddedCount = [number, string, number, string, number, number, number]

/** Result of an import of counts: the new progress, and the numbers of imported and skipped rows. */
interface CountsOutcome {
  state: CountsState
  imported: number
  /** Sum of the imported quota. */
  quota: number
  skipped: number
  added: AddedCount[]
}

/**
 * Adds the source's dashboard counts to the existing counts, in the caller's transaction. Imported counts have no
 * charges in this gateway's log, because imported log rows are not charges. So their hours go to `partial_hours`, which
 * the ledger check skips.
 */
export async function importCounts(
  trx: Knex.Transaction,
  source: Source,
  { before, maxId, map }: { before: CountsState; maxId: number; map: MapContext },
): Promise<CountsOutcome> {
  const outcome: CountsOutcome = {
    state: { ...before, done: Math.max(before.done, maxId), open: {} },
    imported: 0,
    quota: 0,
    skipped: 0,
    added: [],
  }
  const hours = new Set<number>()
  const open = new Map<string, { hour: number; sums: [number, number, number] }>(
    Object.entries(before.open).map(([id, sums]) => [id, { hour: before.hour, sums }]),
  )
  let latest = before.hour
  const from = await firstOf(source, before)
  for await (const rows of readBatches(source, 'quota_data', { from, to: maxId, limit: ROWS_AT_ONCE })) {
    const fresh: AddedCount[] = []
    for (const row of rows) {
      const id = Number(row.id)
      const hour = Math.floor(toInteger(row.created_at) / HOUR_S) * HOUR_S
      if (id <= before.done && hour < before.hour) continue
      const sums: [number, number, number] = [toInteger(row.count), toInteger(row.quota), toInteger(row.token_used)]
      const earlier = open.get(String(id))?.sums ?? (id <= before.done ? undefined : [0, 0, 0])
      latest = Math.max(latest, hour)
      const user = map.target('users', toInteger(row.user_id))
      // For a user that is not imported, keep the earlier sums. If a later import has the user and the row is still
      // open, that import adds the whole row.
      open.set(String(id), { hour, sums: user === undefined && earlier !== undefined ? earlier : sums })
      if (user === undefined || earlier === undefined) {
        outcome.skipped++
        continue
      }
      const [count = 0, quota = 0, tokens = 0] = sums.map((sum, at) => sum - (earlier[at] ?? 0))
      if (count === 0 && quota === 0 && tokens === 0) continue
      const username = map.usernameOf(toInteger(row.user_id)) ?? ''
      fresh.push([user, username.slice(0, USERNAME_MAX), hour, modelOf(row), count, quota, tokens])
      hours.add(hour)
      outcome.imported++
      outcome.quota += quota
    }
    await addCounts(trx, fresh)
    outcome.added.push(...fresh)
  }
  await markHours(trx, hours)
  await addModelHours(trx, outcome.added)
  // Keep the last two hours open, because the source writes its counts with a delay.
  const hour = latest - HOUR_S
  const openRows = [...open].filter(([, row]) => row.hour >= hour).map(([id, { sums }]) => [id, sums])
  outcome.state = { done: outcome.state.done, hour: Math.max(hour, 0), open: Object.fromEntries(openRows) }
  return outcome
}

/** Returns the first row id to read. It can be an earlier row, if an already read row may have grown. */
async function firstOf(source: Source, { done, hour }: CountsState): Promise<number> {
  if (done === 0) return 0
  const q = source.quote
  const [first] = await source.query(
    `SELECT MIN(${q('id')}) AS low FROM ${q('quota_data')} WHERE ${q('id')} > ${done} OR ${q('created_at')} >= ${hour}`,
  )
  return first?.low === null || first?.low === undefined ? done + 1 : Number(first.low)
}

/** Adds counts. Negative counts are subtracted. Rows of the same user, username, hour and model are summed. */
export async function addCounts(trx: Knex.Transaction, rows: readonly AddedCount[]): Promise<void> {
  const merged = new Map<string, AddedCount>()
  for (const row of rows) addTo(merged, row)
  await upsert(trx, {
    table: 'quota_data',
    keys: ['user_id', 'username', 'created_at', 'model_name'],
    sums: ['count', 'quota', 'token_used'],
    rows: [...merged.values()],
  })
}

/** Adds the rows to `model_hours`, which has the sums over all users. Rows of the same hour and model are summed. */
export async function addModelHours(trx: Knex.Transaction, rows: readonly AddedCount[]): Promise<void> {
  const merged = new Map<string, AddedCount>()
  for (const [, , hour, model, ...sums] of rows) addTo(merged, [0, '', hour, model, ...sums])
  await upsert(trx, {
    table: 'model_hours',
    keys: ['created_at', 'model_name'],
    sums: ['count', 'quota', 'token_used'],
    rows: [...merged.values()].map(([, , hour, model, ...sums]) => [hour, model, ...sums]),
  })
}

/**
 * Adds to the sums of existing rows, and inserts others. The keys of `rows` must be unique, because PostgreSQL rejects
 * an upsert that changes a row twice.
 */
async function upsert(
  trx: Knex.Transaction,
  { table, keys, sums, rows }: { table: string; keys: string[]; sums: string[]; rows: readonly InsertedValue[][] },
): Promise<void> {
  for (const part of inParts(rows, ROWS_AT_ONCE)) {
    const columns = [...keys, ...sums]
    const isSqlite = trx.client.dialect === 'sqlite3'
    const names = columns.map((column) => `"${column}"`).join(', ')
    const selected = isSqlite ? columns.map((_, at) => `value ->> ${at}`).join(', ') : names
    const from = isSqlite ? 'json_each(?) WHERE true' : `json_populate_recordset(NULL::"${table}", ?::json)`
    const records = isSqlite
      ? part
      : part.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
    const added = sums.map((sum) => `"${sum}" = "${table}"."${sum}" + excluded."${sum}"`).join(', ')
    const conflict = table === 'quota_data' ? ['user_id', 'created_at', 'model_name', 'username'] : keys
    await trx.raw(
      `INSERT INTO "${table}" (${names}) SELECT ${selected} FROM ${from}
        ON CONFLICT (${conflict.map((column) => `"${column}"`).join(', ')}) DO UPDATE SET ${added}`,
      [JSON.stringify(records)],
    )
  }
}

async function markHours(trx: Knex.Transaction, hours: ReadonlySet<number>): Promise<void> {
  const existingHours = new Set(await trx('partial_hours').pluck('created_at'))
  const rows = [...hours].filter((hour) => !existingHours.has(hour)).map((hour) => [hour])
  await bulkInsert(trx, 'partial_hours', ['created_at'], rows)
}

function addTo(rows: Map<string, AddedCount>, row: AddedCount): void {
  const [user, username, hour, model, count, quota, tokens] = row
  const key = `${user} ${hour} ${username} ${model}`
  const before = rows.get(key)
  if (!before) rows.set(key, [...row])
  else rows.set(key, [user, username, hour, model, before[4] + count, before[5] + quota, before[6] + tokens])
}

const modelOf = ({ model_name }: SourceRow): string => storable(String(model_name ?? '')).slice(0, MODEL_MAX)
