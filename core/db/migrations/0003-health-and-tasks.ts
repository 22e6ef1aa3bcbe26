import type { Knex } from 'knex'

/** Channel health, leases of jobs, and payment of tasks. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .alterTable('users', (table) => {
      // Level of the last reminder about a low balance; null: not checked yet.
      table.integer('quota_notice').nullable()
    })
    .alterTable('midjourneys', (table) => {
      // The relay that submitted the task. The task's charge has the same id.
      table.string('request_id', 64).notNullable().defaultTo('').index()
      // The key of the channel that submitted the task, if the channel has several.
      table.string('key_digest', 64).notNullable().defaultTo('')
      table.string('bot_type', 40).notNullable().defaultTo('')
      table.string('custom_id').notNullable().defaultTo('')
      table.text('video_url').notNullable().defaultTo('')
      table.index(['user_id', 'mj_id'])
    })
    .alterTable('tasks', (table) => {
      table.index(['user_id', 'task_id'])
      table.string('request_id', 64).notNullable().defaultTo('').index()
      table.string('key_digest', 64).notNullable().defaultTo('')
    })
    .createTable('channel_circuits', (table) => {
      // Open circuits of each process. Subject: '' for the channel, else a model, a key's digest, or both.
      table.string('node_id', 64).notNullable()
      table.integer('channel_id').notNullable().index()
      table.string('scope', 10).notNullable()
      table.string('subject', 255).notNullable()
      table.string('state', 10).notNullable()
      table.string('class', 20).notNullable()
      table.text('reason').notNullable().defaultTo('')
      table.bigInteger('since').notNullable()
      table.bigInteger('retry_at').notNullable()
      table.primary(['node_id', 'channel_id', 'scope', 'subject'])
    })
    .createTable('channel_events', (table) => {
      table.bigIncrements('id')
      table.integer('channel_id').notNullable()
      table.bigInteger('created_at').notNullable().index()
      table.string('node_id', 64).notNullable().defaultTo('')
      // opened, closed, disabled, enabled, key-disabled, key-enabled
      table.string('event', 20).notNullable()
      table.string('scope', 10).notNullable()
      table.string('subject', 255).notNullable().defaultTo('')
      table.string('class', 20).notNullable().defaultTo('')
      table.text('reason').notNullable().defaultTo('')
      table.index(['channel_id', 'id'])
    })
    .createTable('leases', (table) => {
      // The process that has an exclusive right, and the end of that right (Unix seconds).
      table.string('name', 64).primary()
      table.string('holder', 64).notNullable()
      table.bigInteger('expires_at').notNullable()
    })
    .createTable('jobs', (table) => {
      table.string('name', 64).primary()
      // The holder of this lease starts the job. If `every_s` is 0, the job runs only on request.
      table.string('lease', 64).notNullable().defaultTo('')
      table.integer('every_s').notNullable().defaultTo(0)
      table.bigInteger('started_at').notNullable()
      table.bigInteger('finished_at').notNullable().defaultTo(0)
      table.text('outcome').notNullable().defaultTo('')
    })
  // One row per running task. An upstream may reuse the ids of finished tasks. Imported tasks are excluded.
  await trx.raw(`CREATE UNIQUE INDEX tasks_running ON tasks (channel_id, key_digest, task_id)
    WHERE progress <> '100%' AND request_id <> ''`)
  // The query for unfinished tasks runs every few seconds, and matches only few of very many rows.
  for (const table of ['midjourneys', 'tasks']) {
    await trx.raw(`CREATE INDEX ${table}_unfinished ON ${table} (channel_id, key_digest, id) WHERE progress <> '100%'`)
  }
}
