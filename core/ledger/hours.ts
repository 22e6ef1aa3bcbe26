import type { Knex } from 'knex'
import type { SettlementRow } from './batch.ts'

/** The tables of the dashboard's counts, with the key columns of each table and their types. */
const HOURS = {
  /** Counts by user, model and hour, as the documented API returns them. */
  quota_data: { user_id: 'integer', created_at: 'bigint', model_name: 'varchar(255)', username: 'varchar(64)' },
  /** Counts of all users together. An administrator's dashboard thus reads thousands of rows, not millions. */
  model_hours: { created_at: 'bigint', model_name: 'varchar(255)' },
} as const
type HoursTable = keyof typeof HOURS

const SUMS = { count: 'bigint', quota: 'bigint', token_used: 'bigint' } as const

/** Returns the ON CONFLICT clause of an INSERT. It adds the counts to a row that already exists. */
export function hoursConflictClause(table: HoursTable): string {
  const sums = Object.keys(SUMS).map((name) => `${name} = ${table}.${name} + excluded.${name}`)
  return `ON CONFLICT (${Object.keys(HOURS[table]).join(', ')}) DO UPDATE SET ${sums.join(', ')}`
}

/**
 * Adds counts to existing rows, and inserts missing rows. On PostgreSQL, updates existing rows first. Otherwise each
 * upsert into `quota_data` would consume a sequence id, even if its row exists.
 */
export async function addHours(
  trx: Knex.Transaction,
  table: HoursTable,
  rows: readonly SettlementRow[],
): Promise<void> {
  if (rows.length === 0) return
  if (!isPostgres(trx)) {
    await trx(table).insert(rows).onConflict(Object.keys(HOURS[table])).merge(sumsOf(trx, table))
    return
  }
  const types = { ...HOURS[table], ...SUMS }
  const names = Object.keys(types)
  const values = rows.map(() => `(${Object.values(types).map((type) => `CAST(? AS ${type})`)})`)
  const same = (other: string) =>
    Object.keys(HOURS[table])
      .map((name) => `${other}.${name} = delta.${name}`)
      .join(' AND ')
  await trx.raw(
    `WITH delta(${names}) AS (VALUES ${values}),
      updated AS (UPDATE ${table} SET ${Object.keys(SUMS).map((name) => `${name} = ${table}.${name} + delta.${name}`)}
        FROM delta WHERE ${same(table)} RETURNING ${Object.keys(HOURS[table]).map((name) => `${table}.${name}`)})
    INSERT INTO ${table} (${names})
      SELECT ${names.map((name) => `delta.${name}`)} FROM delta
      WHERE NOT EXISTS (SELECT 1 FROM updated WHERE ${same('updated')}) ${hoursConflictClause(table)}`,
    rows.flatMap((row) => names.map((name) => row[name] ?? null)),
  )
}

/** Stores the hours whose log rows are not counted. `ledger verify` does not compare these hours with the log. */
export async function recordUncountedHours(trx: Knex.Transaction, hours: readonly SettlementRow[]): Promise<void> {
  const rows = hoursOf(hours).map((created_at) => ({ created_at }))
  if (rows.length > 0) await trx('partial_hours').insert(rows).onConflict('created_at').ignore()
}

/** Returns the distinct hours of the counts, in ascending order. */
export const hoursOf = (rows: readonly SettlementRow[]): number[] =>
  [...new Set(rows.map(({ created_at }) => Number(created_at)))].sort((a, b) => a - b)

const isPostgres = (trx: Knex.Transaction): boolean => trx.client.dialect === 'postgresql'

const sumsOf = (trx: Knex.Transaction, table: HoursTable) =>
  Object.fromEntries(Object.keys(SUMS).map((name) => [name, trx.raw(`${table}.${name} + excluded.${name}`)]))
