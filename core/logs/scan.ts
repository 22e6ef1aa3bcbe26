import { setImmediate as breathe } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, isByTime, type LogFilter } from './filter.ts'
import { LOG_COLUMNS, type LogRow } from './rows.ts'

/** Few enough that nobody else waits long for the thread that maps and writes them. */
const BATCH_ROWS = 250

/** Lets one read at a time go on: however many scan at once, the other readers of the database stay free. */
export type TakeTurn = <T>(read: () => Promise<T>) => Promise<T>

export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (read) => {
    const turn = last.then(read)
    last = turn.catch(() => {})
    return turn
  }
}

/**
 * All rows that a filter leaves, newest first, a batch at a time. Each batch begins after the last row of the one before, so that
 * the last of a million is found as quickly as the first; rows that are written meanwhile are left out.
 */
export async function* scanRows(db: Database, filter: LogFilter, takeTurn: TakeTurn): AsyncGenerator<LogRow[]> {
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
  // The index is entered where the last batch ended; of two upper bounds a database may take the one that is further off.
  const rest = last ? { ...filter, end_timestamp: last.created_at } : filter
  const query = reader('logs')
    .modify(applyFilter, rest)
    .orderBy([
      { column: 'logs.created_at', order: 'desc' },
      { column: 'logs.id', order: 'desc' },
    ])
  return last ? query.whereRaw('(logs.created_at, logs.id) < (?, ?)', [last.created_at, last.id]) : query
}
