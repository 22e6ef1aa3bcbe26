import type { Knex } from 'knex'

/** Credentials of users for parts of the management API. Revoked keys are kept with their usage. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('management_keys', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').notNullable().index()
    table.string('name', 64).notNullable()
    table.string('key_hash', 64).notNullable().unique()
    // The first characters, to recognize the key.
    table.string('key_start', 16).notNullable()
    table.text('scopes').notNullable()
    // Null: unlimited.
    table.bigInteger('quota_max')
    table.bigInteger('quota_used').notNullable().defaultTo(0)
    table.bigInteger('expires_at').notNullable().defaultTo(-1)
    table.bigInteger('created_at').notNullable()
    table.bigInteger('last_used_at').notNullable().defaultTo(0)
    table.bigInteger('revoked_at').notNullable().defaultTo(0)
  })
}
