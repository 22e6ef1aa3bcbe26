import type { Knex } from 'knex'

/** The outcomes of relays that were asked for under an idempotency key, for a day. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('relay_outcomes', (table) => {
    table.integer('user_id').notNullable()
    // SHA-256 in hex, like the fingerprint: neither keys nor requests are kept.
    table.string('key_hash', 64).notNullable()
    table.string('fingerprint', 64).notNullable()
    // Every relay under this key is charged under this id, and so once.
    table.string('request_id', 64).notNullable()
    // The epoch of the process that runs it; empty once it has ended.
    table.string('node_id', 64).notNullable()
    table.bigInteger('created_at').notNullable()
    // Of a stored reply.
    table.string('content_type', 255).nullable()
    table.binary('body').nullable()
    table.primary(['user_id', 'key_hash'])
    table.index(['created_at'])
  })
}
