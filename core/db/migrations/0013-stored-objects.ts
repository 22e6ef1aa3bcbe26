import type { Knex } from 'knex'

/** Objects that requests created in upstream accounts, with their user, because other users may not use them. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('stored_objects', (table) => {
    table.integer('user_id').notNullable()
    table.string('kind', 32).notNullable()
    // SHA-256 in hex, because the id itself grants access.
    table.string('id_hash', 64).notNullable()
    table.integer('channel_id').notNullable()
    // The key of the channel; empty if the channel has one key.
    table.string('key_digest', 64).notNullable()
    // Tokens of the object in a prompt; null if the upstream reported no usage.
    table.bigInteger('tokens').nullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable().index()
    table.primary(['user_id', 'kind', 'id_hash'])
  })
}
