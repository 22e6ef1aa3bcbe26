import type { Knex } from 'knex'
import { LOG_TYPE } from '../../logs/log.ts'

const CHARGES = `type = ${LOG_TYPE.consumption} AND request_id IS NOT NULL`

/**
 * Widens `users.request_count` to 64 bits: with 32 bits, a user's charges fail after 250 days at 100 requests a second.
 * Also records differences that `ledger verify` must expect: charges of users without a log row, and hours in which the
 * dashboard's counts differ from the log.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  if (trx.client.dialect === 'postgresql') await trx.raw('ALTER TABLE users ALTER COLUMN request_count TYPE bigint')
  await trx.schema
    .alterTable('carried_sums', (table) => {
      // Charges in `request_count` that have no log row, because the row was cleared or never written.
      table.bigInteger('requests').notNullable().defaultTo(0)
    })
    .alterTable('log_clear_sums', (table) => {
      table.bigInteger('requests').notNullable().defaultTo(0)
    })
  await trx.raw(`INSERT INTO carried_sums (account, account_id, quota, requests)
    SELECT 'user', users.id, 0, users.request_count - COALESCE(charged.requests, 0)
    FROM users LEFT JOIN (SELECT user_id, COUNT(*) AS requests FROM logs WHERE ${CHARGES} GROUP BY user_id) charged
      ON charged.user_id = users.id
    WHERE users.request_count <> COALESCE(charged.requests, 0)
    ON CONFLICT (account, account_id) DO UPDATE SET requests = excluded.requests`)
  for (let from = await nextDay(trx, undefined); from !== undefined; from = await nextDay(trx, from + DAY_S)) {
    await noteUneven(trx, { from, to: from + DAY_S })
  }
}

const DAY_S = 86_400

/** Records the hours of one day in which counts and log differ. Sorting the rows of all days would be much slower. */
async function noteUneven(trx: Knex.Transaction, day: { from: number; to: number }): Promise<void> {
  await trx.raw(
    `INSERT INTO partial_hours (created_at)
    SELECT DISTINCT hour FROM (
      SELECT hour FROM (
        SELECT user_id, created_at AS hour, model_name, count, token_used FROM quota_data
        WHERE created_at >= :from AND created_at < :to
        UNION ALL
        SELECT user_id, created_at - created_at % 3600, model_name, -1, -(CAST(prompt_tokens AS bigint) + completion_tokens)
        FROM logs WHERE ${CHARGES} AND created_at >= :from AND created_at < :to
      ) parts GROUP BY user_id, hour, model_name HAVING SUM(count) <> 0 OR SUM(token_used) <> 0
    ) uneven WHERE hour NOT IN (SELECT created_at FROM partial_hours)`,
    day,
  )
}

/** Returns the first day from `since` on that has rows, or undefined. */
async function nextDay(trx: Knex.Transaction, since: number | undefined): Promise<number | undefined> {
  const times: number[] = []
  for (const table of ['logs', 'quota_data']) {
    const rows = trx(table).modify((query) => void (since !== undefined && query.where('created_at', '>=', since)))
    const row = await rows.min({ first: 'created_at' }).first()
    if (row?.first !== null && row?.first !== undefined) times.push(Number(row.first))
  }
  if (times.length === 0) return undefined
  const first = Math.min(...times)
  return first - (((first % DAY_S) + DAY_S) % DAY_S)
}
