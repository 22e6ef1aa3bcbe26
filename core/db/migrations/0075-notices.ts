import type { Knex } from 'knex'

/** Notices: their targets, the notices (written in the transaction of their cause), and the state of each delivery. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('notice_targets', (table) => {
    table.bigIncrements('id')
    // Null: a target of the gateway.
    table.integer('user_id').nullable().index()
    table.string('kind', 16).notNullable()
    table.string('name', 64).notNullable()
    // Encrypted JSON, because webhook URLs are secrets too.
    table.text('settings').notNullable()
    // JSON: event names.
    table.text('events').notNullable()
    table.string('language', 2).notNullable().defaultTo('en')
    table.boolean('enabled').notNullable().defaultTo(true)
    table.bigInteger('created_at').notNullable()
    table.bigInteger('updated_at').notNullable()
  })
  await trx.schema.createTable('notices', (table) => {
    table.bigIncrements('id')
    table.string('event', 32).notNullable()
    // The account concerned; null: the gateway.
    table.integer('user_id').nullable()
    // The object concerned: channel:7, job:log-clear.
    table.string('subject', 128).notNullable()
    // Key of a cause that may be reported twice: only the first notice with a key is stored.
    table.string('dedupe', 128).nullable().unique()
    table.text('data').notNullable()
    table.bigInteger('created_at').notNullable().index()
    table.index(['event', 'subject', 'created_at'])
  })
  await trx.schema.createTable('notice_deliveries', (table) => {
    table.bigIncrements('id')
    table.bigInteger('notice_id').notNullable()
    table.bigInteger('target_id').notNullable()
    table.string('state', 16).notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    // Unix seconds of the next attempt. During an attempt, the time at which the attempt counts as lost.
    table.bigInteger('next_at').notNullable()
    // HTTP status of the last reply; 0: no reply.
    table.integer('status').notNullable().defaultTo(0)
    table.text('error').notNullable().defaultTo('')
    table.bigInteger('created_at').notNullable()
    table.bigInteger('delivered_at').notNullable().defaultTo(0)
    table.unique(['notice_id', 'target_id'])
    table.index(['state', 'next_at'])
    table.index(['target_id', 'id'])
  })
}
