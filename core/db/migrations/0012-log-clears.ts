import type { Knex } from 'knex'

/** Clearing the log in short transactions: what each user's deleted charges add up to, until one entry carries it on. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('log_clears', (table) => {
      table.bigIncrements('id')
      table.integer('actor_id').notNullable()
      // Rows older than this were to be deleted, unix seconds.
      table.bigInteger('before').notNullable()
      // When the run last deleted rows: one that is silent for a minute is finished by another process.
      table.bigInteger('touched_at').notNullable().index()
    })
    .createTable('log_clear_sums', (table) => {
      table.bigInteger('clear_id').notNullable()
      table.integer('user_id').notNullable()
      table.bigInteger('quota').notNullable()
      table.primary(['clear_id', 'user_id'])
    })
}
