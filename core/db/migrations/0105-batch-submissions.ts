import type { Knex } from 'knex'

/** Batches are stored before their upstream gets them, to find a batch that the upstream accepted before a crash. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('batches', (table) => {
    // The epoch of the process that submits the batch. While this column is set, the batch is not charged.
    table.string('submitter', 64).notNullable().defaultTo('')
    // Digest of the ids of all requests, by which a batch of messages is recognized.
    table.string('ids_digest', 64).notNullable().defaultTo('')
    table.index(['user_id', 'request_id'])
  })
}
