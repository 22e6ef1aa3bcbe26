import type { Knex } from 'knex'

/**
 * Hourly counts of relays: in total, and by model, user, token, channel, group and error. `latency` and `first_token`
 * are histograms. A job computes them from the log; relays do not write them.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('usage_hours', (table) => {
    table.string('kind', 8).notNullable()
    table.bigInteger('created_at').notNullable()
    table.string('name', 255).notNullable()
    for (const sum of ['count', 'ok', 'failed', 'quota', 'tokens']) table.bigInteger(sum).notNullable().defaultTo(0)
    table.text('latency').notNullable().defaultTo('')
    table.text('first_token').notNullable().defaultTo('')
    table.primary(['kind', 'created_at', 'name'])
  })
}
