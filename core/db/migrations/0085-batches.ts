import type { Knex } from 'knex'

/** Files and batches in upstream accounts, with their users. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('batches', (table) => {
    table.bigIncrements('id')
    // The upstream's id, which clients also use.
    table.string('batch_id', 128).notNullable()
    // openai or anthropic.
    table.string('api', 16).notNullable()
    table.integer('user_id').notNullable()
    table.integer('token_id').notNullable()
    table.integer('channel_id').notNullable()
    table.string('key_digest', 64).notNullable().defaultTo('')
    // The id of the charge in the log.
    table.string('request_id', 64).notNullable()
    table.string('endpoint', 64).notNullable().defaultTo('')
    table.string('model', 255).notNullable()
    // The client's input file, and the file that the gateway wrote for the upstream.
    table.string('input_file_id', 128).notNullable().defaultTo('')
    table.string('sent_file_id', 128).notNullable().defaultTo('')
    table.string('status', 20).notNullable()
    // JSON: the last description of the batch by the upstream.
    table.text('body').notNullable()
    table.bigInteger('request_count').notNullable()
    // JSON: models with their prices at creation, and the model of each request if there are several.
    table.text('prices').notNullable()
    // The charge at creation, and the final charge after the results.
    table.bigInteger('quota').notNullable()
    table.bigInteger('final_quota').notNullable().defaultTo(0)
    table.bigInteger('prompt_tokens').notNullable().defaultTo(0)
    table.bigInteger('completion_tokens').notNullable().defaultTo(0)
    table.bigInteger('created_at').notNullable()
    // Latest time at which the upstream ends the batch.
    table.bigInteger('expires_at').notNullable()
    table.bigInteger('poll_at').notNullable()
    // 0 while the charge is the estimate.
    table.bigInteger('settled_at').notNullable().defaultTo(0)
    // results, channel-deleted or lost.
    table.string('outcome', 20).notNullable().defaultTo('')
    table.bigInteger('deleted_at').notNullable().defaultTo(0)
    table.unique(['api', 'channel_id', 'key_digest', 'batch_id'])
    table.index(['user_id', 'id'])
    table.index(['settled_at', 'poll_at'])
  })
  await trx.schema.createTable('upstream_files', (table) => {
    table.bigIncrements('id')
    table.string('file_id', 128).notNullable()
    table.integer('user_id').notNullable()
    table.integer('channel_id').notNullable()
    table.string('key_digest', 64).notNullable().defaultTo('')
    table.string('purpose', 32).notNullable()
    // JSON: the last description of the file by the upstream; empty before the first query.
    table.text('body').notNullable()
    // The batch row that wrote the file; 0: uploaded by the user.
    table.bigInteger('batch_row').notNullable().defaultTo(0)
    table.bigInteger('created_at').notNullable()
    table.unique(['channel_id', 'key_digest', 'file_id'])
    table.index(['user_id', 'id'])
  })
}
