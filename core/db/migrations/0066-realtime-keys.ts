import type { Knex } from 'knex'

/** Short-lived keys of realtime sessions, which programs pass to browsers. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('realtime_keys', (table) => {
    // A keyed digest in hex.
    table.string('key_hash', 64).primary()
    table.integer('user_id').notNullable()
    table.integer('token_id').notNullable()
    // The channel that an administrator's key names; 0 for other keys.
    table.integer('pinned_channel_id').notNullable().defaultTo(0)
    table.string('model', 255).notNullable()
    // The session settings, encrypted.
    table.binary('session').notNullable()
    table.bigInteger('expires_at').notNullable().index()
    table.index(['user_id', 'expires_at'])
  })
}
