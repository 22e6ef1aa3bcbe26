import type { Knex } from 'knex'

/**
 * Log rows of failed relays (type 5), with their request ids. They need their own table, because the unique `logs.request_id`
 * belongs to charges. Another index on `logs`, even a partial one, would cost each charge a tenth of a relay on SQLite.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('failed_relays', (table) => {
    table.bigInteger('log_id').primary()
    table.string('request_id', 64).notNullable().index()
    table.bigInteger('created_at').notNullable().index()
  })
}
