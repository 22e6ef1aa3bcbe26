import type { Knex } from 'knex'

/** Imported rows and their sources, so that a repeated import adds only new rows, and an import can be undone. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('import_sources', (table) => {
      table.bigIncrements('id')
      table.string('product', 16).notNullable()
      // The address without its password.
      table.text('location').notNullable()
      table.bigInteger('created_at').notNullable()
    })
    .createTable('imports', (table) => {
      table.bigIncrements('id')
      table.bigInteger('source_id').notNullable().index()
      table.string('status', 12).notNullable()
      table.integer('actor_id').notNullable()
      table.bigInteger('started_at').notNullable()
      table.bigInteger('updated_at').notNullable()
      // JSON: the selected logs, the progress, and the command's report.
      table.text('logs').notNullable()
      table.text('state').notNullable()
      table.text('report').notNullable()
    })
    .createTable('import_rows', (table) => {
      table.bigInteger('source_id').notNullable()
      table.string('kind', 16).notNullable()
      table.bigInteger('source_row').notNullable()
      table.bigInteger('target_row').notNullable()
      table.bigInteger('import_id').notNullable().index()
      // Values of the source at the last import, because a later import adds only the difference.
      table.bigInteger('quota').notNullable().defaultTo(0)
      table.bigInteger('used').notNullable().defaultTo(0)
      table.string('digest', 16).notNullable()
      table.primary(['source_id', 'kind', 'source_row'])
      table.index(['kind', 'target_row'])
    })
    .createTable('import_changes', (table) => {
      // Changes that an import made to a row of an earlier import.
      table.bigInteger('import_id').notNullable()
      table.string('kind', 16).notNullable()
      table.bigInteger('target_row').notNullable()
      table.bigInteger('quota').notNullable().defaultTo(0)
      table.bigInteger('used').notNullable().defaultTo(0)
      // JSON: the previous fields, and the previous digest and sums of `import_rows`.
      table.text('before').notNullable()
      table.primary(['import_id', 'kind', 'target_row'])
    })
}
