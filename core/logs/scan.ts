import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, type LogFilter } from './filter.ts'
import { LOG_COLUMNS, type LogRow } from './rows.ts'

const BATCH_ROWS = 1000

/**
 * All rows that a filter leaves, newest first, a batch at a time. Each batch begins after the last row of the one before, so that
 * the last of a million is found as quickly as the first; rows that are written meanwhile are left out.
 */
export async function* scanRows(db: Database, filter: LogFilter): AsyncGenerator<LogRow[]> {
  let last: LogRow | undefined
  for (;;) {
    const query = db.reader('logs').modify(applyFilter, filter).limit(BATCH_ROWS)
    const rows: LogRow[] = await (filter.userId ? ofUser(query, last) : ofAll(query, last)).select(...LOG_COLUMNS)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)
  }
}

function ofAll(query: Knex.QueryBuilder, last: LogRow | undefined): Knex.QueryBuilder {
  return (last ? query.where('logs.id', '<', last.id) : query).orderBy('logs.id', 'desc')
}

/** In the order of the index of a user's rows. */
function ofUser(query: Knex.QueryBuilder, last: LogRow | undefined): Knex.QueryBuilder {
  return (last ? query.whereRaw('(logs.created_at, logs.id) < (?, ?)', [last.created_at, last.id]) : query).orderBy([
    { column: 'logs.created_at', order: 'desc' },
    { column: 'logs.id', order: 'desc' },
  ])
}
