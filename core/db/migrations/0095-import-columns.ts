import type { Knex } from 'knex'

/** Digests of columns that a later import may update. NULL for rows that were imported earlier. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('import_rows', (table) => {
    // JSON: digests of the value last read at the source and of the value last written to this database.
    table.text('column_states').nullable()
  })
}
