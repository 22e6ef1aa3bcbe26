import type { Knex } from 'knex'

/**
 * The team member who created a file or batch, because members see only their own files and batches. 0 for persons.
 * Files that the gateway wrote for batches belong to user 0, and are found by `sent_file_id`.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  for (const name of ['batches', 'upstream_files']) {
    await trx.schema.alterTable(name, (table) => {
      table.integer('member_id').notNullable().defaultTo(0)
    })
  }
  await trx.schema.alterTable('batches', (table) => table.index(['sent_file_id']))
  await trx('batches').update({
    member_id: trx.raw('COALESCE((SELECT tokens.member_id FROM tokens WHERE tokens.id = batches.token_id), 0)'),
  })
}
