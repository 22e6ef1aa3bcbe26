import type { Knex } from 'knex'

/** Limits of requests, tokens, quota and concurrency, and the shares of the limits that processes have taken. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('limits', (table) => {
    table.bigIncrements('id')
    table.string('subject', 16).notNullable()
    // An id or a name; * is every subject of the kind.
    table.string('subject_id', 255).notNullable()
    table.string('measure', 16).notNullable()
    table.string('period', 8).notNullable()
    // Empty: a rolling window.
    table.string('time_zone', 64).notNullable().defaultTo('')
    table.bigInteger('amount').notNullable()
    table.string('action', 8).notNullable()
    table.integer('wait_seconds').notNullable().defaultTo(0)
    // An administrator, or the owner of a token. Owners may change only their own limits.
    table.integer('set_by').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('updated_at').notNullable()
    table.unique(['subject', 'subject_id', 'measure', 'period'])
  })
  // One row per count, locked while a process takes a share.
  await trx.schema.createTable('limit_windows', (table) => {
    table.bigInteger('limit_id').notNullable()
    table.string('subject_id', 255).notNullable()
    // JSON: [start in milliseconds, taken amount] of each part of the window.
    table.text('taken').notNullable()
    table.bigInteger('notified_at').notNullable().defaultTo(0)
    table.bigInteger('updated_at').notNullable().index()
    table.primary(['limit_id', 'subject_id'])
  })
  // Concurrency that each process has taken from a limit; ignored when the process is dead.
  await trx.schema.createTable('limit_shares', (table) => {
    table.string('node_id', 64).notNullable()
    table.bigInteger('limit_id').notNullable()
    table.string('subject_id', 255).notNullable()
    table.bigInteger('amount').notNullable()
    table.primary(['node_id', 'limit_id', 'subject_id'])
  })
  await trx.schema.createTable('learned_limits', (table) => {
    table.integer('channel_id').notNullable()
    table.string('key_digest', 64).notNullable().defaultTo('')
    table.string('measure', 16).notNullable()
    table.bigInteger('amount').notNullable()
    table.bigInteger('remaining').notNullable()
    table.bigInteger('resets_at').notNullable()
    table.bigInteger('seen_at').notNullable()
    table.primary(['channel_id', 'key_digest', 'measure'])
  })
}
