import type { Knex } from 'knex'
import { LOG_TYPE } from '../../logs/log.ts'
import { TEST_NAME } from '../../logs/remarks.ts'

/** Marks the hours of imported log rows as not counted, so that sums are computed from the rows themselves. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `INSERT INTO partial_hours (created_at) SELECT DISTINCT created_at - created_at % 3600 FROM logs
      WHERE type = ${LOG_TYPE.consumption} AND request_id IS NULL AND token_name <> ? ON CONFLICT DO NOTHING`,
    [TEST_NAME],
  )
}
