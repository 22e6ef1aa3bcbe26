import type { Knex } from 'knex'

/** References of the refund entries of tasks that were removed because of their age. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('removed_tasks', (table) => {
    // As in `ledger_entries.reference`: tasks:7, midjourneys:7.
    table.string('reference', 128).primary()
  })
}
