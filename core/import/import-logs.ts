import type { Knex } from 'knex'
import { bulkInsert } from '../db/bulk-insert.ts'
import type { Database } from '../db/database.ts'
import { firstLogSince, type LogBounds } from './contents.ts'
import { type LogPart, placePart, uncovered } from './log-parts.ts'
import { LOG_COLUMNS, mapLog } from './mappers/logs.ts'
import type { MapContext } from './mappers/mapper.ts'
import { highestId, reserveIds } from './new-ids.ts'
import { type TableReport, tableReport } from './report.ts'
import { readBatches, type Source, type SourceRow } from './sources/source.ts'
import type { ImportState } from './stored-imports.ts'

/** Rows of one transaction: few enough that a running gateway does not wait long for the database. */
const ROWS_AT_ONCE = 5000

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

/**
 * Copies the log rows of the parts that are planned, from where they stopped. Each batch is a transaction that also notes how far it
 * has come. Calls `onRows` with how many have come.
 */
export async function copyLogs(
  db: Database,
  source: Source,
  {
    state,
    map,
    save,
    onRows,
    signal,
  }: {
    state: ImportState
    map: MapContext
    save: (trx: Knex.Transaction) => Promise<void>
    onRows: (rows: number) => void
    signal?: AbortSignal | undefined
  },
): Promise<void> {
  for (const part of state.logParts ?? []) {
    const batches = readBatches(source, 'logs', { from: part.done + 1, to: part.to, limit: ROWS_AT_ONCE })
    // The next batch is read while this one is written.
    let reading = batches.next()
    for (;;) {
      const { value: rows, done } = await reading
      if (done || !rows) break
      signal?.throwIfAborted()
      reading = batches.next()
      reading.catch(() => {}) // It is awaited in the next turn.
      await copyBatch(db, rows, { part, map, save })
      onRows(rows.length)
    }
    part.done = part.to
    await db.transaction(save)
  }
}

async function copyBatch(
  db: Database,
  rows: readonly SourceRow[],
  { part, map, save }: { part: LogPart; map: MapContext; save: (trx: Knex.Transaction) => Promise<void> },
): Promise<void> {
  const before = part.done
  const cells = rows.map((row) => mapLog(row, Number(row.id) + part.offset, map))
  try {
    await db.transaction(async (trx) => {
      await db.unhurried(trx)
      await bulkInsert(trx, 'logs', LOG_COLUMNS, cells)
      part.done = Number(rows.at(-1)?.id)
      await save(trx)
    })
  } catch (error) {
    part.done = before
    throw error
  }
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
