import type { Knex } from 'knex'

/**
 * Log rows of failed relays (type 5), with their request ids. A separate table: `logs.request_id` is unique and belongs to
 * charges, and another index on `logs`, even a partial one, would cost each charge a tenth of a relay on SQLite.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('failed_relays', (table) => {
    table.bigInteger('log_id').primary()
    table.string('request_id', 64).notNullable().index()
    table.bigInteger('created_at').notNullable().index()
  })
}
