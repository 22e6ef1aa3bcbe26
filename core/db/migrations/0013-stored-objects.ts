import type { Knex } from 'knex'

/** What requests have created in the accounts of upstreams, by user: no other user may name it. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('stored_objects', (table) => {
    table.integer('user_id').notNullable()
    table.string('kind', 32).notNullable()
    // SHA-256 in hex: the id itself would open the object.
    table.string('id_hash', 64).notNullable()
    table.integer('channel_id').notNullable()
    // Which of several keys of the channel; empty for a channel with one.
    table.string('key_digest', 64).notNullable()
    // How long it is in a prompt; null where the upstream reported no usage.
    table.bigInteger('tokens').nullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable().index()
    table.primary(['user_id', 'kind', 'id_hash'])
  })
}
