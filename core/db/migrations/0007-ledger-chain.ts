import type { Knex } from 'knex'
import { LOG_TYPE } from '../../logs/log.ts'
import type { MigrationContext } from './list.ts'

const BATCH = 2000
const CHARGES = `type = ${LOG_TYPE.consumption} AND request_id IS NOT NULL`

/** Data for `ledger verify`: a hash chain through the entries of each user, and sums that log rows do not contain. */
export async function up(trx: Knex.Transaction, { sign }: MigrationContext): Promise<void> {
  await trx.schema
    .alterTable('ledger_entries', (table) => {
      // Null if an older version of Tollgate adds the entry after this migration.
      table.string('hash', 64).nullable()
    })
    .alterTable('tokens', (table) => {
      // The granted budget: the remaining plus the used quota.
      table.bigInteger('granted_quota').notNullable().defaultTo(0)
    })
    .createTable('partial_hours', (table) => {
      // Hours in which the dashboard's counts differ from the log, so that `ledger verify` does not compare them.
      table.bigInteger('created_at').primary()
    })
    .createTable('ledger_heads', (table) => {
      // The end of each user's chain. Without this row, nothing would show that the last entries were removed.
      table.integer('user_id').primary()
      table.string('hash', 64).notNullable()
      table.bigInteger('entries').notNullable()
    })
    .createTable('chain_breaks', (table) => {
      // Entries with a wrong hash that an operator has accepted.
      table.bigInteger('entry_id').primary()
      table.string('hash', 64).notNullable()
    })
    .createTable('carried_sums', (table) => {
      // `used_quota` of a user, token or channel minus its log rows. Positive for rows that were cleared or never
      // written, negative for refunds.
      table.string('account', 8).notNullable()
      table.integer('account_id').notNullable()
      table.bigInteger('quota').notNullable()
      table.primary(['account', 'account_id'])
    })
  for (const [account, table, column] of [
    ['user', 'users', 'user_id'],
    ['token', 'tokens', 'token_id'],
    ['channel', 'channels', 'channel_id'],
  ]) {
    await trx.raw(`INSERT INTO carried_sums (account, account_id, quota)
      SELECT '${account}', ${table}.id, ${table}.used_quota - COALESCE(charged.total, 0)
      FROM ${table} LEFT JOIN (SELECT ${column} AS id, SUM(quota) AS total FROM logs WHERE ${CHARGES} GROUP BY ${column}) charged
        ON charged.id = ${table}.id
      WHERE ${table}.used_quota <> COALESCE(charged.total, 0)`)
  }
  await trx('tokens').update({ granted_quota: trx.raw('remain_quota + used_quota') })
  await noteClears(trx)
  await notePartialHours(trx)
  await chainAll(trx, sign)
}

/** Records the hours in which counts and log rows differ. The rows were not counted, or were cleared. */
async function notePartialHours(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`INSERT INTO partial_hours (created_at)
    SELECT DISTINCT hour FROM (
      SELECT hour FROM (
        SELECT user_id, created_at AS hour, model_name, quota AS counted, 0 AS charged FROM quota_data
        UNION ALL
        SELECT user_id, created_at - created_at % 3600, model_name, 0, quota FROM logs WHERE ${CHARGES}
      ) parts GROUP BY user_id, hour, model_name HAVING SUM(counted) <> SUM(charged)
    ) uneven`)
}

/** If log rows were cleared, records the time before which counts have no log rows. */
async function noteClears(trx: Knex.Transaction): Promise<void> {
  if (!(await trx('ledger_entries').where({ kind: 'carry' }).first('id'))) return
  const oldest = await trx('logs').min({ at: 'created_at' }).first()
  const time = oldest?.at === null || oldest?.at === undefined ? Math.floor(Date.now() / 1000) : Number(oldest.at)
  await trx('meta').insert({ key: 'log_cleared_before', value: String(time + 3600) })
}

interface Stored {
  id: number
  user_id: number
  kind: string
  quota: number
  balance_after: number
  actor_id: number
  reference: string | null
  note: string
  created_at: number
}

/** Chains the existing entries. The hashed fields are a copy of those in `chain.ts`: a migration must never change. */
async function chainAll(trx: Knex.Transaction, sign: MigrationContext['sign']): Promise<void> {
  let after = { user_id: -1, id: 0 }
  let head = { user_id: -1, hash: '', entries: 0 }
  const endOf = (hash: string): string => sign(JSON.stringify(['end', head.user_id, hash]))
  const insertHead = async () =>
    void (head.entries > 0 && (await trx('ledger_heads').insert({ ...head, hash: endOf(head.hash) })))
  for (;;) {
    const rows: Stored[] = await trx('ledger_entries')
      .whereRaw('(user_id, id) > (?, ?)', [after.user_id, after.id])
      .orderBy(['user_id', 'id'])
      .limit(BATCH)
    const values: string[] = []
    for (const row of rows) {
      if (row.user_id !== head.user_id) {
        await insertHead()
        head = { user_id: row.user_id, hash: '', entries: 0 }
      }
      const { user_id, kind, quota, balance_after, actor_id, reference, note, created_at } = row
      const before = head.entries > 0 ? endOf(head.hash) : ''
      const fields = [before, user_id, kind, quota, balance_after, actor_id, reference, note, created_at]
      head = { user_id, hash: sign(JSON.stringify(fields)), entries: head.entries + 1 }
      values.push(`(${Number(row.id)}, '${head.hash}')`)
    }
    const last = rows.at(-1)
    if (!last) return insertHead()
    after = last
    await trx.raw(`WITH chained(id, hash) AS (VALUES ${values.join(', ')})
      UPDATE ledger_entries SET hash = chained.hash FROM chained WHERE ledger_entries.id = chained.id`)
  }
}
