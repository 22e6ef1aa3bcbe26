import type { Knex } from 'knex'

/** When an import last read its source: a run with older contents must not overwrite newer ones. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('imports', (table) => {
    // Unix milliseconds.
    table.bigInteger('read_at').notNullable().defaultTo(0)
  })
}
