import type { Knex } from 'knex'

/**
 * Log rows of failed relays (type 5) name their request in a column of their own: `request_id` is unique and belongs to charges, and a
 * stream that broke has both. Only rows of failures are in these indexes, so that charges do not pay for them.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('logs', (table) => {
    table.string('failed_request_id', 64).nullable()
  })
  await trx.raw('CREATE INDEX logs_failed_request_id ON logs (failed_request_id) WHERE failed_request_id IS NOT NULL')
  await trx.raw('CREATE INDEX logs_failed_created_at ON logs (created_at) WHERE failed_request_id IS NOT NULL')
}
