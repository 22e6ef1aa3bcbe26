import { setImmediate as breathe } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, isByTime, type LogFilter } from './filter.ts'
import { LOG_COLUMNS, type LogRow } from './rows.ts'

/** Small, so that mapping and writing a batch does not block the thread for long. */
const BATCH_ROWS = 250

/** Allows one read at a time, so that concurrent scans leave the database's other readers free. */
export type ReadQueue = <T>(read: () => Promise<T>) => Promise<T>

export function createReadQueue(): ReadQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (read) => {
    const turn = last.then(read)
    last = turn.catch(() => {})
    return turn
  }
}

/**
 * Yields all rows of a filter, newest first, in batches. Each batch begins after the last row of the previous one, so that the
 * last of a million is found as quickly as the first; rows written meanwhile are skipped.
 */
export async function* scanRows(db: Database, filter: LogFilter, takeTurn: ReadQueue): AsyncGenerator<LogRow[]> {
  let last: LogRow | undefined
  for (;;) {
    const query = isByTime(filter) ? byTime(db, filter, last) : byId(db, filter, last)
    const rows: LogRow[] = await takeTurn(async () => query.limit(BATCH_ROWS).select(...LOG_COLUMNS))
    if (rows.length > 0) yield rows
    await breathe()
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)
  }
}

function byId({ reader }: Database, filter: LogFilter, last: LogRow | undefined): Knex.QueryBuilder {
  const query = reader('logs').modify(applyFilter, filter).orderBy('logs.id', 'desc')
  return last ? query.where('logs.id', '<', last.id) : query
}

function byTime({ reader }: Database, filter: LogFilter, last: LogRow | undefined): Knex.QueryBuilder {
  // Replaces the upper bound by the end of the last batch: of two upper bounds a database may choose the higher one.
  const rest = last ? { ...filter, end_timestamp: last.created_at } : filter
  const query = reader('logs')
    .modify(applyFilter, rest)
    .orderBy([
      { column: 'logs.created_at', order: 'desc' },
      { column: 'logs.id', order: 'desc' },
    ])
  return last ? query.whereRaw('(logs.created_at, logs.id) < (?, ?)', [last.created_at, last.id]) : query
}
