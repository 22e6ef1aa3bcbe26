import type { Knex } from 'knex'

/** Postpaid users: how far below zero holds may take their balance. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('users', (table) => {
    table.bigInteger('debt_limit').notNullable().defaultTo(0)
  })
}
