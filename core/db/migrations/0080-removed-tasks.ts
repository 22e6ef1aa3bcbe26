import type { Knex } from 'knex'

/** Refunded tasks and drawings that were removed for their age: references of the refund entries. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('removed_tasks', (table) => {
    // As in `ledger_entries.reference`: tasks:7, midjourneys:7.
    table.string('reference', 128).primary()
  })
}
