import type { Knex } from 'knex'
import { inParts } from '../in-parts.ts'

const ROWS_PER_STATEMENT = 5000

export type InsertedValue = string | number | boolean | null

/**
 * Inserts many rows, each a list of values in the order of `columns`. Passes the values of each statement to the driver as one JSON text.
 * Binding each value as a parameter would take several times as long.
 */
export async function bulkInsert(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly InsertedValue[])[],
): Promise<void> {
  const names = columns.map(() => '??').join(', ')
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ')
  for (const part of inParts(rows, ROWS_PER_STATEMENT)) {
    if (trx.client.dialect === 'sqlite3') {
      const sql = `INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?)`
      await trx.raw(sql, [table, ...columns, JSON.stringify(part)])
      continue
    }
    const records = part.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
    const sql = `INSERT INTO ?? (${names}) SELECT ${names} FROM json_populate_recordset(NULL::??, ?::json)`
    await trx.raw(sql, [table, ...columns, ...columns, table, JSON.stringify(records)])
  }
}

/** Adds numbers to columns of many rows. An item of `rows` is a row's id, followed by the increment of each column. */
export async function bulkAdd(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly number[])[],
): Promise<void> {
  for (const part of inParts(rows, ROWS_PER_STATEMENT)) {
    const sums = columns.map((_, at) => `?? = ??.?? + gained.g${at}`).join(', ')
    const names = columns.flatMap((column) => [column, table, column])
    const isSqlite = trx.client.dialect === 'sqlite3'
    const value = (at: number) => (isSqlite ? `value ->> ${at}` : `CAST(value ->> ${at} AS bigint)`)
    const gained = ['id', ...columns.map((_, at) => `g${at}`)].map((name, at) => `${value(at)} AS ${name}`).join(', ')
    const from = isSqlite ? 'json_each(?)' : 'json_array_elements(?::json)'
    await trx.raw(`UPDATE ?? SET ${sums} FROM (SELECT ${gained} FROM ${from}) AS gained WHERE gained.id = ??.id`, [
      table,
      ...names,
      JSON.stringify(part),
      table,
    ])
  }
}

const VALUES_PER_STATEMENT = 5000

/** Returns the rows whose column has one of many values. If `isLocked`, locks these rows until the transaction ends. */
export async function findAmong<T extends object>(
  db: Knex,
  table: string,
  {
    column,
    values,
    select,
    isLocked = false,
  }: { column: string; values: readonly (string | number)[]; select: readonly string[]; isLocked?: boolean },
): Promise<T[]> {
  const rows: T[] = []
  for (const part of inParts(values, VALUES_PER_STATEMENT)) {
    const query = db(table)
      .whereIn(column, part)
      .select(...select)
    const matches: T[] = await (isLocked ? query.forUpdate() : query)
    rows.push(...matches)
  }
  return rows
}
