import type { Knex } from 'knex'
import { bulkInsert } from '../db/bulk-insert.ts'
import type { Database } from '../db/database.ts'
import { highestId, reserveIds } from '../db/new-ids.ts'
import { firstLogSince, type LogBounds } from './contents.ts'
import { type LogPart, placePart, uncovered } from './log-parts.ts'
import { LOG_COLUMNS, mapLog } from './mappers/logs.ts'
import type { MapContext } from './mappers/mapper.ts'
import { type TableReport, tableReport } from './report.ts'
import { readBatches, type Source, type SourceRow } from './sources/source.ts'
import { readState, saveState } from './stored-imports.ts'

/** Rows of one transaction. While a gateway runs, few enough that it does not wait long; else so many that indexes are written seldom. */
const ROWS_AT_ONCE = { inUse: 10_000, alone: 40_000 }
const SEEN_S = 60

/** Which logs are imported: by Unix seconds, all or none. */
export type WantedLogs = 'all' | 'none' | number

/** The ranges of the source that are to come. `covered` are those of earlier imports. */
export async function wantedRanges(
  source: Source,
  {
    logs,
    wanted,
    sinceId,
    covered,
  }: { logs: LogBounds; wanted: WantedLogs; sinceId: number; covered: readonly LogPart[] },
): Promise<{ from: number; to: number }[]> {
  if (wanted === 'none' || logs.rows === 0) return []
  const first = wanted === 'all' ? logs.minId : await firstLogSince(source, wanted)
  if (first === undefined) return []
  return uncovered({ from: Math.max(first, sinceId), to: logs.maxId }, covered)
}

/** Gives the ranges their ids here, so that what is written at the same time gets others. */
export async function reserveParts(
  trx: Knex.Transaction,
  ranges: readonly { from: number; to: number }[],
): Promise<LogPart[]> {
  const parts: LogPart[] = []
  let highest = await highestId(trx, 'logs')
  for (const range of ranges) {
    const { part, last } = placePart(range, highest)
    parts.push(part)
    highest = Math.max(highest, last)
  }
  if (parts.length > 0) await reserveIds(trx, 'logs', highest)
  return parts
}

/** A run of an import that copies its logs. Two runs can share an import: what one has copied, the other passes over. */
export interface LogCopy {
  importId: number
  map: MapContext
  now: () => number
  /** Told how many rows have come. */
  onRows: (rows: number) => void
  signal?: AbortSignal | undefined
}

/**
 * Copies the log rows of the parts that are planned, from where they stopped. Each batch is a transaction that also notes how far it
 * has come.
 */
export async function copyLogs(db: Database, source: Source, parts: readonly LogPart[], copy: LogCopy): Promise<void> {
  for (const at of parts.keys()) {
    while (!(await copyPart(db, source, at, copy))) copy.signal?.throwIfAborted()
  }
}

/** Returns whether the part is complete; false if another run has gone on with it meanwhile. */
async function copyPart(db: Database, source: Source, at: number, copy: LogCopy): Promise<boolean> {
  const part = (await db.transaction((trx) => readState(trx, copy.importId))).logParts?.[at]
  if (!part || part.done >= part.to) return true
  const limit = (await isInUse(db, copy.now())) ? ROWS_AT_ONCE.inUse : ROWS_AT_ONCE.alone
  const batches = readBatches(source, 'logs', { from: part.done + 1, to: part.to, limit })
  // The next batch is read while this one is written.
  let reading = batches.next()
  let { done } = part
  for (;;) {
    const { value: rows } = (await reading) as IteratorResult<SourceRow[], undefined>
    copy.signal?.throwIfAborted()
    if (!rows) break
    reading = batches.next()
    reading.catch(() => {}) // It is awaited in the next turn.
    const last = Number(rows.at(-1)?.id)
    const cells = rows.map((row) => mapLog(row, Number(row.id) + part.offset, copy.map))
    if (!(await writeBatch(db, cells, { at, before: done, after: last, copy }))) return false
    done = last
    copy.onRows(rows.length)
  }
  // Ids that no row has, such as those of rows that were deleted at the source.
  return writeBatch(db, [], { at, before: done, after: part.to, copy })
}

/** Whether a gateway runs on this database. */
async function isInUse({ reader }: Database, now: number): Promise<boolean> {
  return (
    (await reader('nodes')
      .where('seen_at', '>', now - SEEN_S)
      .first('id')) !== undefined
  )
}

/** Returns false, and writes nothing, if another run has written since. */
function writeBatch(
  db: Database,
  cells: readonly (string | number)[][],
  { at, before, after, copy }: { at: number; before: number; after: number; copy: LogCopy },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    await db.unhurried(trx)
    const state = await readState(trx, copy.importId)
    const part = state.logParts?.[at]
    if (part?.done !== before) return false
    await bulkInsert(trx, 'logs', LOG_COLUMNS, cells)
    part.done = after
    await saveState(trx, copy.importId, state, copy.now())
    return true
  })
}

/** Compares what came with what the source has in the same ranges. */
export async function reportLogs(
  db: Knex,
  source: Source,
  {
    parts,
    ranges,
    total,
  }: { parts: readonly LogPart[]; ranges: readonly { from: number; to: number }[]; total: number },
): Promise<TableReport> {
  const report = tableReport('logs', total)
  const q = source.quote
  const sums = { source: 0, target: 0 }
  for (const { from, to } of parts.length > 0 ? parts : ranges) {
    const [found] = await source.query(
      `SELECT COUNT(*) AS n, SUM(${q('quota')}) AS total FROM ${q('logs')} WHERE ${q('id')} BETWEEN ${from} AND ${to}`,
    )
    sums.source += Number(found?.total ?? 0)
    if (parts.length === 0) {
      report.imported += Number(found?.n ?? 0)
      sums.target += Number(found?.total ?? 0)
    }
  }
  for (const { from, to, offset } of parts) {
    const found = await db('logs')
      .whereBetween('id', [from + offset, to + offset])
      .count({ n: '*' })
      .sum({ total: 'quota' })
      .first()
    report.imported += Number(found?.n ?? 0)
    sums.target += Number(found?.total ?? 0)
  }
  report.sums = { quota: sums }
  return report
}
