import type { Knex } from 'knex'

/** Which changes of balances were made under which idempotency key, so that the same request again changes nothing. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('balance_requests', (table) => {
    table.increments('id')
    table.integer('user_id').notNullable()
    table.string('idempotency_key', 255).notNullable()
    // What was asked for, as JSON: the same key with another request is refused.
    table.string('request', 255).notNullable()
    table.bigInteger('created_time').notNullable()
    table.unique(['user_id', 'idempotency_key'])
  })
}
