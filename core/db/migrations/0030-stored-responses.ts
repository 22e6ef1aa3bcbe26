import type { Knex } from 'knex'

/** Responses, conversations and their items, by user and token, for requests that continue them. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('stored_responses', (table) => {
    table.bigIncrements('id')
    table.integer('user_id').notNullable()
    table.integer('token_id').notNullable()
    // SHA-256 in hex, like all hashes here, because the id itself grants access.
    table.string('id_hash', 64).notNullable()
    // The response that this response continues.
    table.string('previous_hash', 64).nullable()
    // The conversation of the response.
    table.string('conversation_hash', 64).nullable()
    // The channel whose upstream also stores the response; 0 = none.
    table.integer('channel_id').notNullable()
    table.string('key_digest', 64).notNullable()
    // The epoch of the process that creates the response in the background; empty after its end.
    table.string('node_id', 64).notNullable()
    // Size of the uncompressed content.
    table.integer('bytes').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable().index()
    // Compressed and encrypted.
    table.binary('content').notNullable()
    table.unique(['user_id', 'token_id', 'id_hash'])
    table.index(['user_id', 'token_id', 'conversation_hash', 'id'])
  })
  await trx.schema.createTable('stored_response_items', (table) => {
    table.integer('user_id').notNullable()
    table.integer('token_id').notNullable()
    table.string('id_hash', 64).notNullable()
    table.bigInteger('response_id').notNullable().index()
    table.primary(['user_id', 'token_id', 'id_hash'])
  })
  await trx.schema.createTable('stored_conversations', (table) => {
    table.integer('user_id').notNullable()
    table.integer('token_id').notNullable()
    table.string('id_hash', 64).notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('expires_at').notNullable().index()
    table.binary('content').notNullable()
    table.primary(['user_id', 'token_id', 'id_hash'])
  })
  await trx.schema.alterTable('tokens', (table) => {
    table.boolean('store_responses').notNullable().defaultTo(true)
  })
}
