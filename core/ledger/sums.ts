import type { Knex } from 'knex'
import { LOG_TYPE } from '../logs/log.ts'
import { REDEMPTION_STATUS } from '../redemption/status.ts'
import { findHourDifferences } from './hour-sums.ts'
import type { RowDifference } from './schema.ts'

/** Maximum number of differences that one check lists. More differences usually have the same cause. */
const LISTED_MAX = 100

/** If all checks together have listed more than this, the remaining dashboard counts are not compared. */
const DIFFERENCES_MAX = 1000

const CHARGES = `logs.type = ${LOG_TYPE.consumption} AND logs.request_id IS NOT NULL`

/**
 * Lists users, tokens and channels whose usage differs from the sum of its parts, in one pass over the log. The parts
 * are charges in the log and usage without log rows. Usage of users also includes log rows that an unfinished clearing
 * has deleted.
 */
const USED = `
  WITH charged AS (
    SELECT user_id, token_id, channel_id, SUM(quota) AS quota, COUNT(*) AS requests FROM logs WHERE ${CHARGES}
    GROUP BY user_id, token_id, channel_id
  ), of_accounts AS (
    SELECT account, account_id, SUM(quota) AS quota, SUM(requests) AS requests FROM (
      SELECT 'user' AS account, user_id AS account_id, quota, requests FROM charged
      UNION ALL SELECT 'user', user_id, quota, requests FROM log_clear_sums
      UNION ALL SELECT 'token', token_id, quota, 0 FROM charged
      UNION ALL SELECT 'channel', channel_id, quota, 0 FROM charged
      UNION ALL SELECT account, account_id, quota, requests FROM carried_sums
    ) parts GROUP BY account, account_id
  ), sums AS (
    SELECT 'users' AS place, users.id AS id, used_quota, request_count, COALESCE(quota_of.quota, 0) AS quota,
      COALESCE(quota_of.requests, 0) AS requests, users.id AS user_id
    FROM users LEFT JOIN of_accounts quota_of ON quota_of.account = 'user' AND quota_of.account_id = users.id
    UNION ALL
    SELECT 'tokens', tokens.id, used_quota, 0, COALESCE(quota_of.quota, 0), 0, user_id
    FROM tokens LEFT JOIN of_accounts quota_of ON quota_of.account = 'token' AND quota_of.account_id = tokens.id
    UNION ALL
    SELECT 'channels', channels.id, used_quota, 0, COALESCE(quota_of.quota, 0), 0, 0
    FROM channels LEFT JOIN of_accounts quota_of ON quota_of.account = 'channel' AND quota_of.account_id = channels.id
  )
  SELECT id, place, 'used_quota' AS what, used_quota AS found, quota AS expected, user_id FROM sums WHERE used_quota <> quota
  UNION ALL
  SELECT id, place, 'request_count', request_count, requests, user_id FROM sums WHERE request_count <> requests`

/** Ids of entries that were changed by hand and that a repair has accepted. */
const ACCEPTED = '(SELECT entry_id FROM chain_breaks)'

/** Returns SQL that lists failed tasks without a correct refund. The reference of a refund names the task. */
const refundsOf = (table: string): string => `
  SELECT tasks.id AS id, COALESCE(refunds.quota, 0) AS found, tasks.quota AS expected, tasks.user_id AS user_id
  FROM ${table} tasks JOIN users ON users.id = tasks.user_id
  LEFT JOIN ledger_entries refunds ON refunds.kind = 'refund' AND refunds.reference = '${table}:' || tasks.id
  WHERE tasks.status = 'FAILURE' AND tasks.progress = '100%' AND tasks.request_id <> '' AND tasks.quota > 0
    AND (refunds.id IS NULL OR (refunds.id NOT IN ${ACCEPTED}
      AND (refunds.user_id <> tasks.user_id OR refunds.quota > tasks.quota)))`

/** Lists ended batches without a correct refund of the unused estimate. A full balance reduces the refund. */
const REFUNDS_OF_BATCHES = `
  SELECT batches.id AS id, COALESCE(refunds.quota, 0) AS found, batches.quota - batches.final_quota AS expected,
    batches.user_id AS user_id
  FROM batches JOIN users ON users.id = batches.user_id
  LEFT JOIN ledger_entries refunds ON refunds.kind = 'refund' AND refunds.reference = 'batches:' || batches.id
  WHERE batches.settled_at > 0 AND batches.final_quota < batches.quota
    AND (refunds.id IS NULL OR (refunds.id NOT IN ${ACCEPTED}
      AND (refunds.user_id <> batches.user_id OR refunds.quota > batches.quota - batches.final_quota)))`

/**
 * A check. Its query returns `id, found, expected, user_id` for the rows that differ. A query over several tables also
 * returns `place` (the table) and `what`.
 */
interface Check {
  readonly table: string
  readonly what?: string
  readonly sql: string
}

const CHECKS: readonly Check[] = [
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
  { table: 'users', sql: USED },
  {
    table: 'top_ups',
    what: 'entry of a paid order',
    // Imported orders have no quota in this gateway, because another program has credited them.
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
        -- Imported balances already include codes that were redeemed before the import.
        AND NOT EXISTS (SELECT 1 FROM import_rows
          WHERE import_rows.kind = 'redemptions' AND import_rows.target_row = codes.id AND import_rows.used = 1)
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
  {
    table: 'ledger_entries',
    what: 'other half of a transfer of a team',
    // Both entries of a transfer, `…:from` and `…:to`, sum to 0.
    sql: `SELECT halves.id AS id, halves.quota AS found, COALESCE(-others.quota, 0) AS expected, halves.user_id AS user_id
      FROM ledger_entries halves
      LEFT JOIN ledger_entries others ON others.kind = 'transfer' AND others.reference = CASE
        WHEN halves.reference LIKE '%:from' THEN replace(halves.reference, ':from', ':to')
        ELSE replace(halves.reference, ':to', ':from') END
      WHERE halves.kind = 'transfer' AND halves.reference LIKE 'team-%' AND halves.id NOT IN ${ACCEPTED}
        AND (others.id IS NULL OR (others.id NOT IN ${ACCEPTED} AND halves.quota + others.quota <> 0))`,
  },
  { table: 'tasks', what: 'refund of a failed task', sql: refundsOf('tasks') },
  { table: 'midjourneys', what: 'refund of a failed task', sql: refundsOf('midjourneys') },
  { table: 'batches', what: 'refund of an ended batch', sql: REFUNDS_OF_BATCHES },
  {
    table: 'ledger_entries',
    what: 'refund without a failed task',
    sql: `SELECT entries.id AS id, entries.quota AS found, 0 AS expected, entries.user_id AS user_id
      FROM ledger_entries entries
      LEFT JOIN tasks ON 'tasks:' || tasks.id = entries.reference AND tasks.status <> 'SUCCESS'
      LEFT JOIN midjourneys ON 'midjourneys:' || midjourneys.id = entries.reference AND midjourneys.status <> 'SUCCESS'
      LEFT JOIN batches ON 'batches:' || batches.id = entries.reference AND batches.settled_at > 0
        AND batches.final_quota < batches.quota
      -- Tasks that were removed because of their age.
      LEFT JOIN removed_tasks ON removed_tasks.reference = entries.reference
      WHERE entries.kind = 'refund' AND tasks.id IS NULL AND midjourneys.id IS NULL AND batches.id IS NULL
        AND removed_tasks.reference IS NULL`,
  },
]

/** Compares every sum with the rows that it sums up. Returns the differences. */
export async function findDifferences(db: Knex): Promise<RowDifference[]> {
  const differences: RowDifference[] = []
  for (const check of CHECKS) differences.push(...(await findRows(db, check)))
  for await (const rows of findHourDifferences(db)) {
    differences.push(...rows)
    if (differences.length > DIFFERENCES_MAX) break
  }
  return differences
}

async function findRows(db: Knex, { table, what: checkName, sql }: Check): Promise<RowDifference[]> {
  const result = await db.raw(`${sql} ORDER BY 1 LIMIT ${LISTED_MAX}`)
  const rows: (Omit<RowDifference, 'table'> & { place?: string })[] = result.rows ?? result
  return rows.map(({ place = table, what, ...row }) => ({
    table: place,
    what: checkName ?? what,
    ...row,
    id: String(row.id),
  }))
}
