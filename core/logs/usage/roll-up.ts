import type { Knex } from 'knex'
import type { Database } from '../../db/database.ts'
import { type BatchPace, inShortBatches } from '../../db/short-batches.ts'
import { inParts } from '../../in-parts.ts'
import { LOG_TYPE } from '../log.ts'
import {
  addCell,
  CELL_KINDS,
  type CellKind,
  Cells,
  COUNTED_COLUMNS,
  type CountedRow,
  emptyCell,
  grouped,
  HOUR_S,
  hourOf,
  toCell,
  toUsageRow,
  type UsageCell,
  type UsageRow,
} from './cells.ts'

/**
 * Log rows are counted in the order of their ids. The position in the log is stored in the same transaction as the
 * counts, so each row is counted once. For each CellKind, an open hour has counts for at most OPEN_MAX names. When it
 * is closed, only the CLOSED_MAX largest names are kept. One row without a name has the sum of all other names. So the
 * number of rows does not grow with the number of users.
 */
const STATE_KEY = 'usage_hours'
const OPEN_MAX = 1000
const CLOSED_MAX = 50
/** Time for which an hour stays open, because some log rows are written late. */
const OPEN_S = 2 * HOUR_S
const RETENTION_S = 62 * 86_400
/** Time after which all rows up to an id are committed. PostgreSQL may commit ids out of order. */
const LATE_S = 30
const ROWS_PER_INSERT = 500
/**
 * Batches are large, because they mostly read, which blocks no other transaction, and write few rows. With batches of
 * 400 rows, two million rows took half an hour under other load.
 */
const PACE: BatchPace = { targetMs: 100, restFactor: 1, rowsMin: 4000 }

/** The position in the log up to which rows are counted. */
interface CountedState {
  /** All rows up to this id are counted. */
  done: number
  /** The highest id that existed at the time `seenAt`. */
  seen: number
  /** Unix seconds. */
  seenAt: number
  /** Start of the last closed hour, in Unix seconds. */
  closed: number
}

export async function readCountedState(db: Knex): Promise<CountedState | undefined> {
  const row = await db('meta').where({ key: STATE_KEY }).first('value')
  return row && JSON.parse(row.value)
}

/**
 * Returns whether all rows older than `before` that the dashboard still shows are counted. Rows that are removed before
 * they are counted would be missing in the dashboard.
 */
export async function isCountedBefore(
  { reader }: Pick<Database, 'reader'>,
  { before, now }: { before: number; now: number },
): Promise<boolean> {
  const state = await readCountedState(reader)
  const uncounted = await reader('logs')
    .where('created_at', '>=', hourOf(now) - RETENTION_S)
    .where('created_at', '<', before)
    .where('id', '>', state?.done ?? 0)
    .first('id')
  return uncounted === undefined
}

/** Counts new log rows in short transactions, and removes old counts. Returns the number of counted rows. */
export async function rollUp({ db, now }: { db: Database; now: () => number }, signal?: AbortSignal): Promise<number> {
  let counted = 0
  await inShortBatches(async (rowsMax) => {
    if (signal?.aborted) return 0
    const rows = await step({ db, now }, rowsMax)
    counted += rows
    return rows
  }, PACE)
  await removeOld(db, hourOf(now()) - RETENTION_S)
  return counted
}

async function step({ db, now }: { db: Database; now: () => number }, rowsMax: number): Promise<number> {
  const state = (await readCountedState(db.reader)) ?? (await firstState(db, now()))
  const newest = await db.reader('logs').max({ id: 'id' }).first()
  const seen = Number(newest?.id ?? 0)
  const isOrdered = db.kind === 'sqlite'
  const hasWaited = now() - state.seenAt >= LATE_S
  const boundary = isOrdered ? seen : hasWaited ? state.seen : state.done
  const lastSeen = isOrdered || hasWaited ? { seen, seenAt: now() } : { seen: state.seen, seenAt: state.seenAt }
  const rows = boundary > state.done ? await rowsBetween(db, { after: state.done, upTo: boundary, rowsMax }) : []
  const isPart = rows.length === rowsMax
  // `done` may decrease. After a failover to a lagging replica, or after a backup was restored, ids are lower.
  const done = isPart ? (rows.at(-1)?.id ?? state.done) : Math.min(Math.max(boundary, state.done), Math.max(seen, 0))
  const next = { ...state, ...(isPart ? {} : lastSeen), done }
  const cells = new Cells()
  for (const row of rows) cells.count(row)
  const latest = Math.max(0, ...[...cells.byKey.values()].map(({ created_at }) => created_at))
  const closed = Math.max(state.closed, hourOf(Math.max(latest, isPart ? 0 : hourOf(now()))) - OPEN_S)
  await db.transaction(async (trx) => {
    if (!(await claim(trx, { from: state, to: { ...next, closed } }))) return
    await writeCells(trx, cells, closed)
    await closeHours(trx, { after: state.closed, upTo: closed })
  })
  return rows.length
}

/** Stores the new state. Returns false if another process has stored its state, and so has counted the rows. */
async function claim(trx: Knex.Transaction, { from, to }: { from: CountedState; to: CountedState }): Promise<boolean> {
  const value = JSON.stringify(to)
  const row = await trx('meta').where({ key: STATE_KEY }).forUpdate().first('value')
  if (!row) {
    const inserted = await trx('meta').insert({ key: STATE_KEY, value }).onConflict('key').ignore().returning('key')
    return inserted.length > 0
  }
  if (row.value !== JSON.stringify(from)) return false
  await trx('meta').where({ key: STATE_KEY }).update({ value })
  return true
}

/** Returns the state before the first count. Counting begins with the oldest row that the dashboard needs. */
async function firstState({ reader }: Database, now: number): Promise<CountedState> {
  const since = hourOf(now) - RETENTION_S
  const oldest = await reader('logs').where('created_at', '>=', since).orderBy('created_at').first('id')
  const newest = await reader('logs').max({ id: 'id' }).first()
  const done = oldest ? Number(oldest.id) - 1 : Number(newest?.id ?? 0)
  return { done, seen: done, seenAt: 0, closed: since }
}

function rowsBetween(
  { reader }: Database,
  { after, upTo, rowsMax }: { after: number; upTo: number; rowsMax: number },
): Promise<CountedRow[]> {
  return reader('logs')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .whereIn('type', [LOG_TYPE.consumption, LOG_TYPE.error])
    .orderBy('id')
    .limit(rowsMax)
    .select(COUNTED_COLUMNS)
}

/** Adds cells to their rows. If an hour has too many names, the smallest cells are added to the row without a name. */
async function writeCells(trx: Knex.Transaction, cells: Cells, closed: number): Promise<void> {
  const changed: UsageRow[] = []
  for (const [kind, addedByHour] of byKindAndHour(cells)) {
    const stored: UsageRow[] = await trx('usage_hours')
      .where({ kind })
      .whereIn('created_at', [...addedByHour.keys()])
    const storedByHour = grouped(stored, (row) => Number(row.created_at))
    for (const [hour, added] of addedByHour) {
      const byName = new Map((storedByHour.get(hour) ?? []).map((row) => [row.name, toCell(row)]))
      for (const cell of added) {
        const sum = byName.get(cell.name)
        if (sum) addCell(sum, cell)
        else byName.set(cell.name, cell)
      }
      const touched = new Set(added.map(({ name }) => name))
      changed.push(...(await trim(trx, { kind, hour, byName, touched, max: hour <= closed ? CLOSED_MAX : OPEN_MAX })))
    }
  }
  await putRows(trx, changed)
}

function byKindAndHour(cells: Cells): Map<CellKind, Map<number, UsageCell[]>> {
  const byKind = grouped(cells.byKey.values(), ({ kind }) => kind)
  return new Map([...byKind].map(([kind, list]) => [kind, grouped(list, ({ created_at }) => created_at)]))
}

/** Closes hours. Keeps rows only for the largest names. */
async function closeHours(trx: Knex.Transaction, { after, upTo }: { after: number; upTo: number }): Promise<void> {
  if (upTo <= after) return
  const hours = await trx('usage_hours')
    .whereIn('kind', CELL_KINDS)
    .where('created_at', '>', after)
    .where('created_at', '<=', upTo)
    .groupBy('kind', 'created_at')
    .havingRaw('count(*) > ?', [CLOSED_MAX + 1])
    .select('kind', 'created_at')
  for (const { kind, created_at } of hours) {
    const rows: UsageRow[] = await trx('usage_hours').where({ kind, created_at })
    const byName = new Map(rows.map((row) => [row.name, toCell(row)]))
    await putRows(trx, await trim(trx, { kind, hour: Number(created_at), byName, touched: new Set(), max: CLOSED_MAX }))
  }
}

interface Hour {
  kind: CellKind
  hour: number
  /** The hour's cells of this kind. */
  byName: Map<string, UsageCell>
  /** Names whose sums differ from their rows. */
  touched: Set<string>
  /** Maximum number of names. */
  max: number
}

/** Adds the smallest of too many names to the unnamed cell, and deletes their rows. Returns the rows to write. */
async function trim(trx: Knex.Transaction, { kind, hour, byName, touched, max }: Hour): Promise<UsageRow[]> {
  const named = [...byName.values()].filter(({ name }) => name !== '' || kind === 'all')
  const dropped = named.length > max ? named.sort(bySize).slice(max) : []
  if (dropped.length > 0) {
    const others = byName.get('') ?? emptyCell(kind, hour, '')
    for (const cell of dropped) {
      addCell(others, cell)
      byName.delete(cell.name)
    }
    byName.set('', others)
    touched.add('')
    const names = dropped.map(({ name }) => name)
    for (const part of inParts(names, ROWS_PER_INSERT)) {
      await trx('usage_hours').where({ kind, created_at: hour }).whereIn('name', part).delete()
    }
  }
  return [...byName.values()].filter(({ name }) => touched.has(name)).map(toUsageRow)
}

async function putRows(trx: Knex.Transaction, rows: readonly UsageRow[]): Promise<void> {
  for (const part of inParts(rows, ROWS_PER_INSERT)) {
    await trx('usage_hours').insert(part).onConflict(['kind', 'created_at', 'name']).merge()
  }
}

/** Sorts the largest cells first: by quota, then by the number of charges and failures. */
const bySize = (a: UsageCell, b: UsageCell): number => b.quota - a.quota || b.count + b.failed - (a.count + a.failed)

async function removeOld(db: Database, before: number): Promise<void> {
  const old = await db.reader('usage_hours').where({ kind: 'all' }).where('created_at', '<', before).first('name')
  if (!old) return
  await inShortBatches((rowsMax) =>
    db.transaction(async (trx) => {
      const hours: number[] = await trx('usage_hours')
        .where({ kind: 'all' })
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(Math.ceil(rowsMax / (CLOSED_MAX * CELL_KINDS.length)))
        .pluck('created_at')
      if (hours.length === 0) return 0
      return await trx('usage_hours').whereIn('kind', CELL_KINDS).whereIn('created_at', hours).delete()
    }),
  )
}
