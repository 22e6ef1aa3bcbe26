import type { Knex } from 'knex'
import { LOG_TYPE } from '../logs/log.ts'
import { CLEARED_KEY } from '../logs/totals.ts'
import { REDEMPTION_STATUS } from '../redemption/status.ts'

/** One row that is not what others say. */
export interface RowDifference {
  table: string
  /** Of the row; of counts without one, the hour and model. */
  id: string
  /** What is wrong: a column, or what is missing. */
  what: string
  found: number
  expected: number
  /** Whose it is; 0: nobody's. */
  user_id: number
}

/** No check lists more: who has so many looks for one cause. */
const LISTED_MAX = 100

const CHARGES = `logs.type = ${LOG_TYPE.consumption} AND logs.request_id IS NOT NULL`

/** Charges of users: the log's, and what a clearing that is not finished has deleted of them. */
const OF_USERS = `
  WITH charged AS (
    SELECT user_id, SUM(quota) AS quota, SUM(requests) AS requests FROM (
      SELECT user_id, quota, 1 AS requests FROM logs WHERE ${CHARGES}
      UNION ALL SELECT user_id, quota, requests FROM log_clear_sums
    ) charges GROUP BY user_id
  ), sums AS (
    SELECT users.id, users.used_quota, users.request_count,
      COALESCE(charged.quota, 0) + COALESCE(carried.quota, 0) AS quota,
      COALESCE(charged.requests, 0) + COALESCE(carried.requests, 0) AS requests
    FROM users LEFT JOIN charged ON charged.user_id = users.id
    LEFT JOIN carried_sums carried ON carried.account = 'user' AND carried.account_id = users.id
  )
  SELECT id, 'used_quota' AS what, used_quota AS found, quota AS expected, id AS user_id FROM sums WHERE used_quota <> quota
  UNION ALL
  SELECT id, 'request_count', request_count, requests, id FROM sums WHERE request_count <> requests`

const usedOf = (table: string, account: string, user: string): string => `
  SELECT ${table}.id AS id, ${table}.used_quota AS found, COALESCE(charged.total, 0) + COALESCE(carried.quota, 0) AS expected,
    ${user} AS user_id
  FROM ${table}
  LEFT JOIN (SELECT ${account}_id AS id, SUM(quota) AS total FROM logs WHERE ${CHARGES} GROUP BY ${account}_id) charged
    ON charged.id = ${table}.id
  LEFT JOIN carried_sums carried ON carried.account = '${account}' AND carried.account_id = ${table}.id
  WHERE ${table}.used_quota <> COALESCE(charged.total, 0) + COALESCE(carried.quota, 0)`

/** A failed task and its refund, which names it. */
const refundsOf = (table: string): string => `
  SELECT tasks.id AS id, COALESCE(refunds.quota, 0) AS found, tasks.quota AS expected, tasks.user_id AS user_id
  FROM ${table} tasks JOIN users ON users.id = tasks.user_id
  LEFT JOIN ledger_entries refunds ON refunds.kind = 'refund' AND refunds.reference = '${table}:' || tasks.id
  WHERE tasks.status = 'FAILURE' AND tasks.progress = '100%' AND tasks.request_id <> '' AND tasks.quota > 0
    AND (refunds.id IS NULL OR (refunds.id NOT IN ${ACCEPTED}
      AND (refunds.user_id <> tasks.user_id OR refunds.quota > tasks.quota)))`

/** Hours that begin then, and later ones, have all their log rows. */
const CLEARED_BEFORE = `(SELECT COALESCE(MAX(CAST(value AS bigint)), 0) FROM meta WHERE key = '${CLEARED_KEY}')`

/** What the dashboard counts, by the columns of its tables. */
const COUNTED = { quota: 'quota', count: 'requests', token_used: 'tokens' } as const
export type CountedColumn = keyof typeof COUNTED
export const COUNTED_COLUMNS = Object.keys(COUNTED) as CountedColumn[]

/** What is said of a count that differs. */
export const countOfUser = (column: CountedColumn): string => `${COUNTED[column]} of a user, hour and model`
export const countOfAll = (column: CountedColumn): string => `${COUNTED[column]} of an hour and model`

/**
 * Counts and charges of whole hours in which all charges were counted, in one pass over both. A row of counts that is missing has no
 * id, and is named by its hour and model.
 */
const COUNTS_OF_USERS = `
  WITH parts AS (
    SELECT id, user_id, created_at AS hour, model_name, quota, count, token_used, 0 AS logged_quota, 0 AS logged_count,
      0 AS logged_token_used
    FROM quota_data
    WHERE created_at >= ${CLEARED_BEFORE} AND created_at NOT IN (SELECT created_at FROM partial_hours)
    UNION ALL
    SELECT NULL, user_id, created_at - created_at % 3600, model_name, 0, 0, 0, quota, 1,
      CAST(prompt_tokens AS bigint) + completion_tokens
    FROM logs
    WHERE ${CHARGES} AND created_at - created_at % 3600 >= ${CLEARED_BEFORE}
      AND created_at - created_at % 3600 NOT IN (SELECT created_at FROM partial_hours)
  ), sums AS (
    SELECT COALESCE(CAST(MIN(id) AS varchar(20)), CAST(hour AS varchar(20)) || ' ' || model_name) AS id, user_id,
      ${COUNTED_COLUMNS.map((column) => `SUM(${column}) AS ${column}, SUM(logged_${column}) AS logged_${column}`).join(', ')}
    FROM parts GROUP BY user_id, hour, model_name
    HAVING ${COUNTED_COLUMNS.map((column) => `SUM(${column}) <> SUM(logged_${column})`).join(' OR ')}
  )
  ${COUNTED_COLUMNS.map(
    (column) => `SELECT id, '${countOfUser(column)}' AS what, ${column} AS found, logged_${column} AS expected, user_id
      FROM sums WHERE ${column} <> logged_${column}`,
  ).join(' UNION ALL ')}`

const COUNTS_OF_ALL = `
  WITH counted AS (
    SELECT created_at, model_name, SUM(quota) AS quota, SUM(count) AS count, SUM(token_used) AS token_used
    FROM quota_data GROUP BY created_at, model_name
  ), sums AS (
    SELECT CAST(hours.created_at AS varchar(20)) || ' ' || hours.model_name AS id,
      ${COUNTED_COLUMNS.map((column) => `hours.${column}, COALESCE(counted.${column}, 0) AS counted_${column}`).join(', ')}
    FROM model_hours hours
    LEFT JOIN counted ON counted.created_at = hours.created_at AND counted.model_name = hours.model_name
  )
  ${COUNTED_COLUMNS.map(
    (
      column,
    ) => `SELECT id, '${countOfAll(column)}' AS what, ${column} AS found, counted_${column} AS expected, 0 AS user_id
      FROM sums WHERE ${column} <> counted_${column}`,
  ).join(' UNION ALL ')}`

/** Entries that were changed by hand, and accepted as they are. */
const ACCEPTED = '(SELECT entry_id FROM chain_breaks)'

/** Each answers `id, found, expected, user_id` for the rows that differ, and `what` if that is not always the same. */
const CHECKS: readonly { table: string; what?: string; sql: string }[] = [
  {
    table: 'tokens',
    what: 'held_quota',
    sql: `SELECT tokens.id AS id, tokens.held_quota AS found, COALESCE(reserves.total, 0) AS expected, tokens.user_id AS user_id
      FROM tokens LEFT JOIN (
        SELECT account_id, SUM(quota) AS total FROM holds WHERE account = 'token' GROUP BY account_id
      ) reserves ON reserves.account_id = tokens.id
      WHERE tokens.held_quota <> COALESCE(reserves.total, 0)`,
  },
  {
    table: 'holds',
    what: 'no process',
    sql: `SELECT holds.account_id AS id, holds.quota AS found, 0 AS expected, 0 AS user_id
      FROM holds LEFT JOIN nodes ON nodes.id = holds.node_id WHERE nodes.id IS NULL AND holds.quota <> 0`,
  },
  {
    table: 'tokens',
    what: 'remain_quota',
    sql: `SELECT id, remain_quota AS found, granted_quota - used_quota AS expected, user_id
      FROM tokens WHERE remain_quota <> granted_quota - used_quota`,
  },
  { table: 'users', sql: OF_USERS },
  { table: 'tokens', what: 'used_quota', sql: usedOf('tokens', 'token', 'tokens.user_id') },
  { table: 'channels', what: 'used_quota', sql: usedOf('channels', 'channel', '0') },
  {
    table: 'top_ups',
    what: 'entry of a paid order',
    // An imported order has no quota, and was credited elsewhere.
    sql: `SELECT top_ups.id AS id, COALESCE(entries.quota, 0) AS found, top_ups.quota AS expected, top_ups.user_id AS user_id
      FROM top_ups JOIN users ON users.id = top_ups.user_id
      LEFT JOIN ledger_entries entries ON entries.kind = 'topup' AND entries.reference = top_ups.trade_no
      WHERE top_ups.status = 'success' AND top_ups.quota > 0
        AND (entries.id IS NULL OR (entries.id NOT IN ${ACCEPTED}
          AND (entries.user_id <> top_ups.user_id OR entries.quota <> top_ups.quota)))`,
  },
  {
    table: 'ledger_entries',
    what: 'top-up without a paid order',
    sql: `SELECT entries.id AS id, entries.quota AS found, 0 AS expected, entries.user_id AS user_id
      FROM ledger_entries entries LEFT JOIN top_ups ON top_ups.trade_no = entries.reference AND top_ups.status = 'success'
      WHERE entries.kind = 'topup' AND top_ups.id IS NULL`,
  },
  {
    table: 'redemptions',
    what: 'entry of a used code',
    sql: `SELECT codes.id AS id, COALESCE(entries.quota, 0) AS found, codes.quota AS expected, codes.used_user_id AS user_id
      FROM redemptions codes JOIN users ON users.id = codes.used_user_id
      LEFT JOIN ledger_entries entries ON entries.kind = 'redemption' AND entries.reference = 'code-' || codes.id
      WHERE codes.status = ${REDEMPTION_STATUS.used}
        AND (entries.id IS NULL OR (entries.id NOT IN ${ACCEPTED}
          AND (entries.user_id <> codes.used_user_id OR entries.quota <> codes.quota)))`,
  },
  {
    table: 'ledger_entries',
    what: 'redemption without a used code',
    sql: `SELECT entries.id AS id, entries.quota AS found, 0 AS expected, entries.user_id AS user_id
      FROM ledger_entries entries
      LEFT JOIN redemptions codes ON 'code-' || codes.id = entries.reference AND codes.status = ${REDEMPTION_STATUS.used}
      WHERE entries.kind = 'redemption' AND codes.id IS NULL`,
  },
  { table: 'tasks', what: 'refund of a failed task', sql: refundsOf('tasks') },
  { table: 'midjourneys', what: 'refund of a failed task', sql: refundsOf('midjourneys') },
  {
    table: 'ledger_entries',
    what: 'refund without a failed task',
    sql: `SELECT entries.id AS id, entries.quota AS found, 0 AS expected, entries.user_id AS user_id
      FROM ledger_entries entries
      LEFT JOIN tasks ON 'tasks:' || tasks.id = entries.reference AND tasks.status <> 'SUCCESS'
      LEFT JOIN midjourneys ON 'midjourneys:' || midjourneys.id = entries.reference AND midjourneys.status <> 'SUCCESS'
      WHERE entries.kind = 'refund' AND tasks.id IS NULL AND midjourneys.id IS NULL`,
  },
  { table: 'quota_data', sql: COUNTS_OF_USERS },
  { table: 'model_hours', sql: COUNTS_OF_ALL },
]

/** Compares every sum with the rows that it is made of. */
export async function findDifferences(db: Knex): Promise<RowDifference[]> {
  const differences: RowDifference[] = []
  for (const { table, what, sql } of CHECKS) {
    const answer = await db.raw(`${sql} ORDER BY 1 LIMIT ${LISTED_MAX}`)
    const rows: (Omit<RowDifference, 'table' | 'id'> & { id: number | string })[] = answer.rows ?? answer
    for (const row of rows) differences.push({ table, ...row, id: String(row.id), what: what ?? row.what })
  }
  return differences
}
