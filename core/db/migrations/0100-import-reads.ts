import type { Knex } from 'knex'

/** Time at which an import last read its source, because older contents must not overwrite newer contents. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('imports', (table) => {
    // Unix milliseconds.
    table.bigInteger('read_at').notNullable().defaultTo(0)
  })
}
