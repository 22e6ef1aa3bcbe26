import type { Knex } from 'knex'

/** Percentages of a balance or budget at which its owner gets a notice, and the last percentage that was reached. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('notice_thresholds', (table) => {
    // `user` or `token`.
    table.string('subject', 8).notNullable()
    table.integer('subject_id').notNullable()
    // JSON: whole percents, ascending.
    table.text('percents').notNullable()
    table.primary(['subject', 'subject_id'])
  })
  await trx.schema.createTable('notice_levels', (table) => {
    // user:1, token:7, limit:3/token:7.
    table.string('subject', 128).primary()
    table.integer('user_id').notNullable().index()
    // The highest percentage reached; 0: none.
    table.integer('level').notNullable()
    // The base of the percentages: the entry that credited a balance. A new entry resets the level.
    table.string('basis', 64).notNullable().defaultTo('')
  })
}
