import type { Knex } from 'knex'

/**
 * Teams. The account of a team is a row of `users` with the team's id. This row has the balance, so that holds, charges
 * and entries work as for a user.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema
    .alterTable('users', (table) => {
      // 0: a person, 1: a team's account, which cannot sign in.
      table.integer('kind').notNullable().defaultTo(0)
    })
    .alterTable('tokens', (table) => {
      // For a team's key: the member who created it.
      table.integer('member_id').nullable().index()
    })
    .createTable('teams', (table) => {
      // The id of the team's account.
      table.bigInteger('id').primary()
      table.string('name', 64).notNullable().unique()
      table.bigInteger('created_at').notNullable()
    })
    .createTable('team_members', (table) => {
      table.integer('team_id').notNullable()
      table.integer('user_id').notNullable().index()
      table.string('role', 16).notNullable()
      table.bigInteger('joined_at').notNullable()
      table.primary(['team_id', 'user_id'])
    })
    .createTable('team_invites', (table) => {
      table.bigIncrements('id')
      table.integer('team_id').notNullable().index()
      // A keyed digest, because the code is shown only once.
      table.string('code_hash', 64).notNullable().unique()
      table.string('role', 16).notNullable()
      table.integer('created_by').notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable()
      table.integer('used_by').notNullable().defaultTo(0)
      table.bigInteger('used_at').notNullable().defaultTo(0)
    })
}
