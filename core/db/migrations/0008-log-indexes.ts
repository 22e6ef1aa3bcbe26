import type { Knex } from 'knex'

/**
 * Indexes that answer the common questions about the log from themselves: its rows and sums by model, channel and name of a
 * token, within any time. Each is written with every relay: two replace the ones of model and channel alone. And the counts of
 * all users by model and hour, for the dashboard of an administrator.
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
      // `quota_data` of all users together: as many rows as models and hours, however many users there are.
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
