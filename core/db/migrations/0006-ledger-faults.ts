import type { Knex } from 'knex'

/** Growing tables. On PostgreSQL, `increments` made 32-bit ids. At 100 rows a second, these last for 250 days. */
const GROWING = [
  'logs',
  'quota_data',
  'redemptions',
  'top_ups',
  'midjourneys',
  'payment_callbacks',
  'redemption_batches',
  'balance_requests',
] as const
const ACCOUNTS = [
  { table: 'users', account: 'user' },
  { table: 'tokens', account: 'token' },
] as const

/** Adds operation numbers, heartbeats and checks of the reserves. On PostgreSQL, widens ids to 64 bits. */
export async function up(trx: Knex.Transaction): Promise<void> {
  const isPostgres = trx.client.config.client === 'pg'
  await trx.schema.alterTable('nodes', (table) => {
    // Number of heartbeats. While this number grows, the process is alive, even if a clock is wrong.
    table.bigInteger('beats').notNullable().defaultTo(0)
  })
  await trx('holds').where('quota', '<', 0).update({ quota: 0 })
  await addHoldOperation(trx, isPostgres)
  for (const { table, account } of ACCOUNTS) await requireHeldQuota(trx, { table, account, isPostgres })
  if (isPostgres) for (const table of GROWING) await widenId(trx, table)
}

/** Adds the number of the last operation on a reserve. After a lost reply to COMMIT, this number shows the outcome. */
async function addHoldOperation(trx: Knex.Transaction, isPostgres: boolean): Promise<void> {
  // SQLite can add a CHECK to an existing table only with a new column.
  await trx.raw(
    `ALTER TABLE holds ADD COLUMN operation bigint NOT NULL DEFAULT 0${isPostgres ? '' : ' CHECK (quota >= 0)'}`,
  )
  if (isPostgres) await trx.raw('ALTER TABLE holds ADD CONSTRAINT holds_quota_check CHECK (quota >= 0)')
}

/** Sets `held_quota` to the sum of the reserves, and adds CHECK (held_quota >= 0). */
async function requireHeldQuota(
  trx: Knex.Transaction,
  { table, account, isPostgres }: { table: string; account: string; isPostgres: boolean },
): Promise<void> {
  const sum = `(SELECT COALESCE(SUM(holds.quota), 0) FROM holds
    WHERE holds.account = '${account}' AND holds.account_id = ${table}.id)`
  if (isPostgres) {
    await trx.raw(`UPDATE ${table} SET held_quota = ${sum} WHERE held_quota <> ${sum}`)
    await trx.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_held_quota_check CHECK (held_quota >= 0)`)
    return
  }
  await trx.raw(`ALTER TABLE ${table} RENAME COLUMN held_quota TO held_quota_before`)
  await trx.raw(`ALTER TABLE ${table} ADD COLUMN held_quota bigint NOT NULL DEFAULT 0 CHECK (held_quota >= 0)`)
  await trx.raw(`UPDATE ${table} SET held_quota = ${sum} WHERE id IN (SELECT account_id FROM holds)`)
  await trx.raw(`ALTER TABLE ${table} DROP COLUMN held_quota_before`)
}

async function widenId(trx: Knex.Transaction, table: string): Promise<void> {
  await trx.raw('ALTER TABLE ?? ALTER COLUMN id TYPE bigint', [table])
  const { rows } = await trx.raw('SELECT pg_get_serial_sequence(?, ?) AS sequence', [table, 'id'])
  if (rows[0]?.sequence) await trx.raw(`ALTER SEQUENCE ${rows[0].sequence} AS bigint`)
}
