import type { Knex } from 'knex'

/**
 * Indexes that cover common queries of the log: rows and sums by model, channel and token name, in any time range. Each
 * index costs every relay a write. Therefore two new indexes replace the old indexes of `model_name` and `channel_id`.
 * Also creates `model_hours` for the administrator's dashboard.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .alterTable('logs', (table) => {
      table.dropIndex(['model_name'])
      table.dropIndex(['channel_id'])
      table.index(['model_name', 'created_at', 'type', 'quota'])
      table.index(['channel_id', 'created_at', 'type', 'quota'])
      table.index(['token_name', 'created_at', 'type', 'quota'])
    })
    .createTable('model_hours', (table) => {
      // `quota_data` summed over all users: one row per model and hour.
      table.bigInteger('created_at').notNullable()
      table.string('model_name', 255).notNullable()
      table.bigInteger('count').notNullable()
      table.bigInteger('quota').notNullable()
      table.bigInteger('token_used').notNullable()
      table.primary(['created_at', 'model_name'])
    })
  await trx.raw(`INSERT INTO model_hours (created_at, model_name, count, quota, token_used)
    SELECT created_at, model_name, SUM(count), SUM(quota), SUM(token_used) FROM quota_data GROUP BY created_at, model_name`)
}
