import type { Knex } from 'knex'

/** What an import knows about the columns that a later one may update; NULL for rows imported before. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('import_rows', (table) => {
    // JSON: digests of the value last read at the source and of the value last written here.
    table.text('column_states').nullable()
  })
}
