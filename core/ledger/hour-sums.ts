import type { Knex } from 'knex'
import { LOG_TYPE } from '../logs/log.ts'
import { CLEARED_KEY } from '../logs/totals.ts'
import { keysOf } from '../records.ts'
import type { RowDifference } from './schema.ts'

/** The counted columns of the dashboard's tables, with their names in reports. */
const COUNTED = { quota: 'quota', count: 'requests', token_used: 'tokens' } as const
export type CountedColumn = keyof typeof COUNTED
export const HOUR_COUNT_COLUMNS = keysOf(COUNTED)

/** Name of the difference for a wrong count of one user. */
export const countOfUser = (column: CountedColumn): string => `${COUNTED[column]} of a user, hour and model`
/** Name of the difference for a wrong count of all users. */
export const countOfAll = (column: CountedColumn): string => `${COUNTED[column]} of an hour and model`

/** Maximum number of differences that one query lists. */
const LISTED_MAX = 100
/** Days are compared one at a time, because a database sorts the rows of one day much faster. */
const DAY_S = 86_400

const CHARGES = `logs.type = ${LOG_TYPE.consumption} AND logs.request_id IS NOT NULL`
const HOUR = 'created_at - created_at % 3600'

/** Conditions for hours that can be compared: their log rows were not cleared, and all their charges were counted. */
const NOT_CLEARED = `>= (SELECT COALESCE(MAX(CAST(value AS bigint)), 0) FROM meta WHERE key = '${CLEARED_KEY}')`
const ALL_COUNTED = 'NOT IN (SELECT created_at FROM partial_hours)'

const mapColumns = (text: (column: CountedColumn) => string, between: string): string =>
  HOUR_COUNT_COLUMNS.map(text).join(between)

/**
 * Returns SQL that lists the differences. `parts` is SQL for rows with stored counts (`quota` …) and expected counts
 * (`true_quota` …). Both are summed by the columns `by` and then compared.
 */
function differencesSql(query: {
  parts: string
  by: string
  id: string
  user: string
  what: (column: CountedColumn) => string
}): string {
  const { parts, by, id, user, what } = query
  return `WITH parts AS (${parts}), sums AS (
      SELECT ${id} AS id, ${user} AS user_id, ${mapColumns((column) => `SUM(${column}) AS ${column}, SUM(true_${column}) AS true_${column}`, ', ')}
      FROM parts GROUP BY ${by} HAVING ${mapColumns((column) => `SUM(${column}) <> SUM(true_${column})`, ' OR ')}
    )
    ${mapColumns(
      (column) => `SELECT id, '${what(column)}' AS what, ${column} AS found, true_${column} AS expected, user_id
        FROM sums WHERE ${column} <> true_${column}`,
      ' UNION ALL ',
    )}
    ORDER BY 1 LIMIT ${LISTED_MAX}`
}

const HOUR_AND_MODEL = `CAST(hour AS varchar(20)) || ' ' || model_name`

/** Compares each user's counts with the log rows. If a row of counts is missing, the reported id is hour and model. */
const OF_USERS = differencesSql({
  parts: `
    SELECT id, user_id, created_at AS hour, model_name, quota, count, token_used,
      0 AS true_quota, 0 AS true_count, 0 AS true_token_used
    FROM quota_data WHERE created_at >= :from AND created_at < :to AND created_at ${NOT_CLEARED} AND created_at ${ALL_COUNTED}
    UNION ALL
    SELECT NULL, user_id, ${HOUR}, model_name, 0, 0, 0, quota, 1, CAST(prompt_tokens AS bigint) + completion_tokens
    FROM logs WHERE ${CHARGES} AND created_at >= :from AND created_at < :to AND ${HOUR} ${NOT_CLEARED} AND ${HOUR} ${ALL_COUNTED}`,
  by: 'user_id, hour, model_name',
  id: `COALESCE(CAST(MIN(id) AS varchar(20)), ${HOUR_AND_MODEL})`,
  user: 'user_id',
  what: countOfUser,
})

/** Compares the counts of all users with the sums of each user's counts. */
const OF_ALL = differencesSql({
  parts: `
    SELECT created_at AS hour, model_name, quota, count, token_used, 0 AS true_quota, 0 AS true_count, 0 AS true_token_used
    FROM model_hours WHERE created_at >= :from AND created_at < :to
    UNION ALL
    SELECT created_at, model_name, 0, 0, 0, quota, count, token_used
    FROM quota_data WHERE created_at >= :from AND created_at < :to`,
  by: 'hour, model_name',
  id: HOUR_AND_MODEL,
  user: '0',
  what: countOfAll,
})

/** Compares the dashboard's counts with each other and with the log, day by day. */
export async function* findHourDifferences(db: Knex): AsyncGenerator<RowDifference[]> {
  for (let from = await nextDay(db); from !== undefined; from = await nextDay(db, from + DAY_S)) {
    for (const [table, sql] of [
      ['quota_data', OF_USERS],
      ['model_hours', OF_ALL],
    ] as const) {
      const result = await db.raw(sql, { from, to: from + DAY_S })
      const rows: Omit<RowDifference, 'table'>[] = result.rows ?? result
      yield rows.map((row) => ({ table, ...row, id: String(row.id) }))
    }
  }
}

/** Returns the start (Unix seconds) of the first day with rows, from `since` on. Undefined if there is none. */
async function nextDay(db: Knex, since?: number): Promise<number | undefined> {
  const times: number[] = []
  // Query one table at a time, because a transaction has only one connection.
  for (const table of ['logs', 'quota_data', 'model_hours']) {
    const row = await db(table)
      .modify((rows) => void (since !== undefined && rows.where('created_at', '>=', since)))
      .min({ first: 'created_at' })
      .first()
    if (row?.first !== null && row?.first !== undefined) times.push(Number(row.first))
  }
  if (times.length === 0) return undefined
  const first = Math.min(...times)
  return first - (((first % DAY_S) + DAY_S) % DAY_S)
}
