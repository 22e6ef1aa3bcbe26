import type { Knex } from 'knex'

const ROWS_PER_STATEMENT = 5000

/** A JSON value. */
export type InsertedValue = string | number | boolean | null

/**
 * Inserts many rows, each a list of values in the order of `columns`. Passes all values to the driver as one JSON text.
 * Binding each value as a parameter would take several times as long.
 */
export async function bulkInsert(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly InsertedValue[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await insertPart(trx, table, columns, rows.slice(start, start + ROWS_PER_STATEMENT))
  }
}

async function insertPart(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly InsertedValue[])[],
): Promise<void> {
  const names = columns.map(() => '??').join(', ')
  if (trx.client.dialect === 'sqlite3') {
    const values = columns.map((_, at) => `value ->> ${at}`).join(', ')
    await trx.raw(`INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?)`, [
      table,
      ...columns,
      JSON.stringify(rows),
    ])
    return
  }
  const records = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
  await trx.raw(`INSERT INTO ?? (${names}) SELECT ${names} FROM json_populate_recordset(NULL::??, ?::json)`, [
    table,
    ...columns,
    ...columns,
    table,
    JSON.stringify(records),
  ])
}

/** Adds numbers to columns of many rows. An item of `rows` is a row's id, followed by the increment of each column. */
export async function bulkAdd(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly number[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT))
    const sums = columns.map((_, at) => `?? = ??.?? + gained.g${at}`).join(', ')
    const names = columns.flatMap((column) => [column, table, column])
    const isSqlite = trx.client.dialect === 'sqlite3'
    const value = (at: number) => (isSqlite ? `value ->> ${at}` : `CAST(value ->> ${at} AS bigint)`)
    const gained = ['id', ...columns.map((_, at) => `g${at}`)].map((name, at) => `${value(at)} AS ${name}`).join(', ')
    const from = isSqlite ? 'json_each(?)' : 'json_array_elements(?::json)'
    await trx.raw(`UPDATE ?? SET ${sums} FROM (SELECT ${gained} FROM ${from}) AS gained WHERE gained.id = ??.id`, [
      table,
      ...names,
      part,
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
  for (let start = 0; start < values.length; start += VALUES_PER_STATEMENT) {
    const part = values.slice(start, start + VALUES_PER_STATEMENT)
    const query = db(table)
      .whereIn(column, part)
      .select(...select)
    const matches: T[] = await (isLocked ? query.forUpdate() : query)
    rows.push(...matches)
  }
  return rows
}
