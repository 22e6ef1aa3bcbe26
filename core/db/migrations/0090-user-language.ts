import type { Knex } from 'knex'

/** The language of mails to a user: `zh`, `en`, or empty while the language is unknown. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('users', (table) => {
    table.string('language', 8).notNullable().defaultTo('')
  })
}
