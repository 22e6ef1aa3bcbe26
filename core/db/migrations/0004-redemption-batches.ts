import type { Knex } from 'knex'

/** Requests with an idempotency key that created redemption codes, so that a repeated request creates no more codes. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('redemption_batches', (table) => {
      table.increments('id')
      table.integer('user_id').notNullable()
      table.string('idempotency_key', 255).notNullable()
      // The request, as JSON, because the same key with another request is rejected.
      table.string('request', 255).notNullable()
      table.bigInteger('created_time').notNullable()
      table.unique(['user_id', 'idempotency_key'])
    })
    .alterTable('redemptions', (table) => {
      table.integer('batch_id').nullable().index()
    })
}
