import type { Knex } from 'knex'

/**
 * Request ids of failed relays (log rows of type 5). These ids need their own table, because the unique
 * `logs.request_id` belongs to charges. On SQLite, another index on `logs`, even a partial one, would increase the cost
 * of each relay by a tenth.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('failed_relays', (table) => {
    table.bigInteger('log_id').primary()
    table.string('request_id', 64).notNullable().index()
    table.bigInteger('created_at').notNullable().index()
  })
}
