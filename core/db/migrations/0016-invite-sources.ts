import type { Knex } from 'knex'

/** Addresses and devices from which a rewarded invitation was used, because each of them earns only one reward. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('invite_sources', (table) => {
    // A keyed digest, so that the address is not stored.
    table.string('digest', 64).primary()
    table.bigInteger('created_at').notNullable()
  })
}
