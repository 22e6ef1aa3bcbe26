import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, isByTime, type LogFilter } from './filter.ts'
import { LOG_ROW_COLUMNS, NEWEST_BY_ID, NEWEST_BY_TIME, type StoredLog } from './rows.ts'

/** Number of rows per query. It is small, so that an export does not block the event loop for long. */
const BATCH_ROWS = 250

/** Runs one read at a time. Otherwise concurrent scans could use all database connections for reads. */
type ReadQueue = <T>(read: () => Promise<T>) => Promise<T>

export function createReadQueue(): ReadQueue {
  let lastRead: Promise<unknown> = Promise.resolve()
  return (read) => {
    const result = lastRead.then(read)
    lastRead = result.catch(() => {})
    return result
  }
}

/**
 * Yields all rows that match a filter, newest first, in batches. Each query starts after the last row of the previous
 * batch, so that the last batch is as fast as the first. Rows that are written in the meantime are not included.
 */
export async function* scanRows(db: Database, filter: LogFilter, takeTurn: ReadQueue): AsyncGenerator<StoredLog[]> {
  let last: StoredLog | undefined
  for (;;) {
    const query = isByTime(filter) ? byTime(db, filter, last) : byId(db, filter, last)
    const rows: StoredLog[] = await takeTurn(async () => query.limit(BATCH_ROWS).select(LOG_ROW_COLUMNS))
    if (rows.length > 0) yield rows
    await yieldToEvents()
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)
  }
}

function byId({ reader }: Database, filter: LogFilter, last: StoredLog | undefined): Knex.QueryBuilder {
  const query = reader('logs').modify(applyFilter, filter).orderBy(NEWEST_BY_ID)
  return last ? query.where('logs.id', '<', last.id) : query
}

function byTime({ reader }: Database, filter: LogFilter, last: StoredLog | undefined): Knex.QueryBuilder {
  // Replace the upper bound by the time of the last row. With two upper bounds, the database might use the higher one.
  const rest = last ? { ...filter, end_timestamp: last.created_at } : filter
  const query = reader('logs').modify(applyFilter, rest).orderBy(NEWEST_BY_TIME)
  return last ? query.whereRaw('(logs.created_at, logs.id) < (?, ?)', [last.created_at, last.id]) : query
}
