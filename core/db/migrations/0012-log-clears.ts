import type { Knex } from 'knex'

/**
 * Data to clear the log in short transactions: the sums of each user's deleted charges. At the end of a clearing,
 * ledger entries (`carry`) replace these sums.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('log_clears', (table) => {
      table.bigIncrements('id')
      table.integer('actor_id').notNullable()
      // Rows older than this time (Unix seconds) are deleted.
      table.bigInteger('before').notNullable()
      // Time of the last deletion. After a minute without a deletion, another process finishes the clearing.
      table.bigInteger('touched_at').notNullable().index()
    })
    .createTable('log_clear_sums', (table) => {
      table.bigInteger('clear_id').notNullable()
      table.integer('user_id').notNullable()
      table.bigInteger('quota').notNullable()
      table.primary(['clear_id', 'user_id'])
    })
}
