import type { Knex } from 'knex'
import { skeletonOf } from '../../accounts/lookalikes.ts'

const BATCH = 500

/** Password guesses of the last hour, and the skeleton of each user name. Look-alike names have the same skeleton. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .createTable('guesses', (table) => {
      table.bigIncrements('id')
      // HMAC of the counted subject, such as an account or a client, because the table must not contain names or
      // addresses.
      table.string('subject_hash', 64).notNullable()
      table.boolean('failed').notNullable().defaultTo(false)
      table.bigInteger('created_at').notNullable().index()
      table.index(['subject_hash', 'created_at'])
    })
    .alterTable('users', (table) => {
      table.string('name_skeleton', 255).notNullable().defaultTo('').index()
    })
  for (let after = 0; ; ) {
    const rows: { id: number; username: string }[] = await trx('users')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .select('id', 'username')
    for (const { id, username } of rows) {
      await trx('users')
        .where({ id })
        .update({ name_skeleton: skeletonOf(username) })
    }
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? 0
  }
}
