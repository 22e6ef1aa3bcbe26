import type { Knex } from 'knex'

/** External identities of users. They are unique; empty means none. */
const IDENTITIES = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'] as const

/**
 * Adds sign-in identities and their unique indexes, tables for emailed codes and payment callbacks, and columns of
 * orders.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('users', (table) => {
    table.string('oidc_id').notNullable().defaultTo('')
  })
  for (const column of IDENTITIES) {
    await trx.raw(`CREATE UNIQUE INDEX users_${column}_once ON users (${column}) WHERE ${column} <> ''`)
  }
  await trx.raw(`CREATE UNIQUE INDEX users_email_once ON users (lower(email)) WHERE email <> ''`)

  await trx.schema
    .createTable('verifications', (table) => {
      // Stores one code per purpose and address. The address and the code are stored only as digests.
      table.string('purpose', 20).notNullable()
      table.string('subject_hash', 64).notNullable()
      table.string('code_hash', 64).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').notNullable().index()
      table.primary(['purpose', 'subject_hash'])
    })
    .alterTable('top_ups', (table) => {
      table.string('payment_method', 20).notNullable().defaultTo('')
      // The quota to credit, fixed when the order is created: a later change of QuotaPerUnit does not affect the order.
      table.bigInteger('quota').notNullable().defaultTo(0)
      table.bigInteger('complete_time').notNullable().defaultTo(0)
    })
    .createTable('payment_callbacks', (table) => {
      table.increments('id')
      table.string('trade_no').notNullable().defaultTo('').index()
      // The received query, as JSON.
      table.text('params').notNullable()
      table.string('ip', 64).notNullable().defaultTo('')
      table.string('verdict', 20).notNullable().index()
      table.text('reason').notNullable().defaultTo('')
      // Id of the original callback if this row is an administrator's replay; 0 if the payment gateway sent it.
      table.integer('replay_of').notNullable().defaultTo(0)
      table.integer('actor_id').notNullable().defaultTo(0)
      table.bigInteger('created_at').notNullable().index()
    })
}
