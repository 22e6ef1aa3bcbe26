import type { Knex } from 'knex'

/** Requests with an idempotency key that changed a balance, so that a repeated request changes nothing. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('balance_requests', (table) => {
    table.increments('id')
    table.integer('user_id').notNullable()
    table.string('idempotency_key', 255).notNullable()
    // The request, as JSON, because the same key with another request is rejected.
    table.string('request', 255).notNullable()
    table.bigInteger('created_time').notNullable()
    table.unique(['user_id', 'idempotency_key'])
  })
}
