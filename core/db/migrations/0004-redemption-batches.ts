import type { Knex } from 'knex'

/** Which codes were made under which idempotency key, so that the same request again makes none. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('redemption_batches', (table) => {
      table.increments('id')
      table.integer('user_id').notNullable()
      table.string('idempotency_key', 255).notNullable()
      // What was asked for, as JSON: the same key with another request is refused.
      table.string('request', 255).notNullable()
      table.bigInteger('created_time').notNullable()
      table.unique(['user_id', 'idempotency_key'])
    })
    .alterTable('redemptions', (table) => {
      table.integer('batch_id').nullable().index()
    })
}
