import type { Knex } from 'knex'

/** Maximum debt of postpaid users: their balance may be below zero by this quota. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('users', (table) => {
    table.bigInteger('debt_limit').notNullable().defaultTo(0)
  })
}
