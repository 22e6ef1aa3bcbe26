import type { Knex } from 'knex'
import { bulkInsert } from '../db/bulk-insert.ts'
import type { Database } from '../db/database.ts'
import { createPartitions } from '../db/log-partitions.ts'
import { highestId, reserveIds } from '../db/new-ids.ts'
import { recordUncountedHours } from '../ledger/hours.ts'
import { hourOf } from '../logs/usage/cells.ts'
import { firstLogSince, type LogBounds } from './contents.ts'
import { type LogPart, placePart, uncoveredRanges } from './log-parts.ts'
import { MAPPED_LOG_COLUMNS, mapLog } from './mappers/logs.ts'
import type { MapContext } from './mappers/mapper.ts'
import { type TableReport, tableReport } from './report.ts'
import { readBatches, type Source, sumSqlOf } from './sources/source.ts'
import { readImportState, saveState } from './stored-imports.ts'

/**
 * Maximum number of rows per transaction. The number is small while a gateway uses the database, so that the gateway
 * waits less. A large number saves writes to the indexes.
 */
const ROWS_AT_ONCE = { inUse: 10_000, alone: 40_000 }
const SEEN_S = 60
const CREATED_AT = MAPPED_LOG_COLUMNS.indexOf('created_at')

/** The logs to import: all, none, or those since a time in Unix seconds. */
export type WantedLogs = 'all' | 'none' | number

/** Returns the ranges of source log ids to import, without the ranges of earlier imports (`covered`). */
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
  return uncoveredRanges({ from: Math.max(first, sinceId), to: logs.maxId }, covered)
}

/** Plans the copy of the ranges. Allocates their target ids, so that concurrent writes get other ids. */
export async function planParts(
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

/** Context of a run that copies an import's logs. Concurrent runs skip the rows that another run has copied. */
interface LogCopy {
  importId: number
  map: MapContext
  now: () => number
  /** Called after each batch with the number of rows in it. */
  onRows: (rows: number) => void
  signal?: AbortSignal | undefined
}

/** Copies the rows of the planned parts, or the rest of interrupted ones. Each batch also stores the progress. */
export async function copyLogs(db: Database, source: Source, parts: readonly LogPart[], copy: LogCopy): Promise<void> {
  await partitionLog(db, source, parts)
  for (const at of parts.keys()) {
    while (!(await copyPart(db, source, at, copy))) copy.signal?.throwIfAborted()
  }
}

/** Creates partitions for the months of the copied rows. */
async function partitionLog(db: Database, source: Source, parts: readonly LogPart[]): Promise<void> {
  const q = source.quote
  for (const { from, to } of parts) {
    const [times] = await source.query(
      `SELECT MIN(${q('created_at')}) AS first, MAX(${q('created_at')}) AS last FROM ${q('logs')} WHERE ${q('id')} BETWEEN ${from} AND ${to}`,
    )
    if (times?.last) await createPartitions(db, { from: Number(times.first), to: Number(times.last) })
  }
}

/** Copies one part. Returns true if the part is complete, and false if another run has continued it. */
async function copyPart(db: Database, source: Source, at: number, copy: LogCopy): Promise<boolean> {
  const part = (await db.transaction((trx) => readImportState(trx, copy.importId))).logParts?.[at]
  if (!part || part.done >= part.to) return true
  const limit = (await isInUse(db, copy.now())) ? ROWS_AT_ONCE.inUse : ROWS_AT_ONCE.alone
  const batches = readBatches(source, 'logs', { from: part.done + 1, to: part.to, limit })
  // Read the next batch while this one is written.
  let reading = batches.next()
  let { done } = part
  for (;;) {
    const { value: rows } = await reading
    copy.signal?.throwIfAborted()
    if (!rows) break
    reading = batches.next()
    reading.catch(() => {}) // Prevents an unhandled rejection. The next iteration reports the error.
    const last = Number(rows.at(-1)?.id)
    const cells = rows.map((row) => mapLog(row, Number(row.id) + part.offset, copy.map))
    if (!(await writeBatch(db, cells, { at, before: done, after: last, copy }))) return false
    done = last
    copy.onRows(rows.length)
  }
  // Mark the whole range as copied, because its last ids may have no rows.
  return writeBatch(db, [], { at, before: done, after: part.to, copy })
}

/** Returns whether a gateway has used this database in the last minute. */
async function isInUse({ reader }: Database, now: number): Promise<boolean> {
  return (
    (await reader('nodes')
      .where('seen_at', '>', now - SEEN_S)
      .first('id')) !== undefined
  )
}

/** Inserts a batch and stores the progress. Returns false without writing if another run has written this batch. */
function writeBatch(
  db: Database,
  cells: readonly (string | number)[][],
  { at, before, after, copy }: { at: number; before: number; after: number; copy: LogCopy },
): Promise<boolean> {
  return db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
    const state = await readImportState(trx, copy.importId)
    const part = state.logParts?.[at]
    if (part?.done !== before) return false
    await bulkInsert(trx, 'logs', MAPPED_LOG_COLUMNS, cells)
    // The counts of these hours may lack the imported rows.
    const hours = cells.map((row) => ({ created_at: hourOf(Number(row[CREATED_AT])) }))
    await recordUncountedHours(trx, hours)
    part.done = after
    await saveState(trx, copy.importId, state, copy.now())
    return true
  })
}

/**
 * Reports the number of copied rows, and the sums of their quota in the target and at the source. In a dry run, `parts`
 * is empty and the source's rows in `ranges` count as copied.
 */
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
    const [sourceSums] = await source.query(
      `SELECT COUNT(*) AS n, ${sumSqlOf(source, 'quota')} AS total FROM ${q('logs')} WHERE ${q('id')} BETWEEN ${from} AND ${to}`,
    )
    sums.source += Number(sourceSums?.total ?? 0)
    if (parts.length === 0) {
      report.imported += Number(sourceSums?.n ?? 0)
      sums.target += Number(sourceSums?.total ?? 0)
    }
  }
  for (const { from, to, offset } of parts) {
    const copiedSums = await db('logs')
      .whereBetween('id', [from + offset, to + offset])
      .count({ n: '*' })
      .sum({ total: 'quota' })
      .first()
    report.imported += Number(copiedSums?.n ?? 0)
    sums.target += Number(copiedSums?.total ?? 0)
  }
  report.sums = { quota: sums }
  return report
}
