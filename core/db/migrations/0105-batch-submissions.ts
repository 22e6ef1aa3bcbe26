import type { Knex } from 'knex'

/** Batches are stored before their upstream gets them, to find a batch that the upstream accepted before a crash. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('batches', (table) => {
    // Id of the submitting process (its ledger epoch) until the batch is charged, then empty. While this column is set,
    // the batch is not charged.
    table.string('submitter', 64).notNullable().defaultTo('')
    // Digest of the `custom_id`s of the batch's requests, by which an Anthropic batch is recognized in the upstream's
    // list.
    table.string('ids_digest', 64).notNullable().defaultTo('')
    table.index(['user_id', 'request_id'])
  })
}
