import type { Knex } from 'knex'

/** Origins of users' sign-ins, as keyed digests. A sign-in from a new origin is reported. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('sign_in_origins', (table) => {
    table.integer('user_id').notNullable()
    table.string('origin_hash', 64).notNullable()
    table.bigInteger('seen_at').notNullable().index()
    table.primary(['user_id', 'origin_hash'])
  })
}
