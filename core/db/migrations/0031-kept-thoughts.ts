import type { Knex } from 'knex'

/** Reasoning of models before tool calls, by user and call, for clients that do not send the reasoning back. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('kept_thoughts', (table) => {
    table.integer('user_id').notNullable()
    // SHA-256 of the call's id, in hex.
    table.string('call_hash', 64).notNullable()
    table.bigInteger('expires_at').notNullable().index()
    // Encrypted.
    table.binary('content').notNullable()
    table.primary(['user_id', 'call_hash'])
  })
}
