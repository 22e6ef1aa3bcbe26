import type { Knex } from 'knex'

/** Outcomes of relays with an idempotency key, kept for a day. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('relay_outcomes', (table) => {
    table.integer('user_id').notNullable()
    // SHA-256 in hex, like the fingerprint of the request, because neither keys nor requests may be stored.
    table.string('key_hash', 64).notNullable()
    table.string('fingerprint', 64).notNullable()
    // All relays with this key use this charge id, so only one is charged.
    table.string('request_id', 64).notNullable()
    // The epoch of the process that runs the relay; empty after its end.
    table.string('node_id', 64).notNullable()
    table.bigInteger('created_at').notNullable()
    // Set for a stored reply.
    table.string('content_type', 255).nullable()
    table.binary('body').nullable()
    table.primary(['user_id', 'key_hash'])
    table.index(['created_at'])
  })
}
