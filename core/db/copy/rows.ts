import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { inParts } from '../../in-parts.ts'
import { bulkInsert, type InsertedValue } from '../bulk-insert.ts'
import type { Database } from '../database.ts'
import type { CopiedTable } from './tables.ts'

export type CopiedRow = Record<string, unknown>

const KEYS_AT_ONCE = 500
const FRACTION_DIGITS = 6
const HASH_BITS = 64n
/** The table in which triggers reject updates and deletes. */
const APPEND_ONLY = 'audit'

/** Inserts rows that were read from the other database. */
export async function insertCopiedRows(
  trx: Knex.Transaction,
  table: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  if (rows.length === 0) return
  if (table.bytes.size > 0) {
    await trx.batchInsert(
      table.table,
      rows.map((row) => Object.fromEntries(table.columns.map((column) => [column, row[column]]))),
      50,
    )
    return
  }
  await bulkInsert(
    trx,
    table.table,
    table.columns,
    rows.map((row) => table.columns.map((column) => row[column] as InsertedValue)),
  )
}

/** Deletes all rows of the target, which its migrations or an unfinished copy inserted. */
export async function emptyTables(target: Database, tables: readonly CopiedTable[]): Promise<void> {
  await target.transaction(async (trx) => {
    await target.withoutTimeouts(trx)
    for (const { table } of tables) {
      if (table === APPEND_ONLY) await emptyAppendOnly(target, trx)
      else await trx(table).delete()
    }
  })
}

/** Deletes all rows of the append-only table, while its triggers are disabled. */
async function emptyAppendOnly({ kind }: Database, trx: Knex.Transaction): Promise<void> {
  if ((await trx(APPEND_ONLY).first('id')) === undefined) return
  if (kind === 'postgres') {
    await trx.raw('ALTER TABLE ?? DISABLE TRIGGER USER', [APPEND_ONLY])
    await trx(APPEND_ONLY).delete()
    await trx.raw('ALTER TABLE ?? ENABLE TRIGGER USER', [APPEND_ONLY])
    return
  }
  const triggers: { name: string; sql: string }[] = await trx('sqlite_master')
    .where({ type: 'trigger', tbl_name: APPEND_ONLY })
    .select('name', 'sql')
  for (const { name } of triggers) await trx.raw('DROP TRIGGER ??', [name])
  await trx(APPEND_ONLY).delete()
  for (const { sql } of triggers) await trx.raw(sql)
}

/** Makes the rows with these keys equal in the target and the source. Deletes rows that the source does not have, except in `audit`. */
export async function replaceRows(
  source: Knex,
  target: Knex.Transaction,
  table: CopiedTable,
  keys: readonly unknown[][],
): Promise<void> {
  for (const part of inParts(keys, KEYS_AT_ONCE)) {
    const matching = (db: Knex) => db(table.table).modify(whereKeys, table, part)
    let rows: CopiedRow[] = await matching(source).select('*')
    if (table.table === APPEND_ONLY) {
      const existingIds = new Set((await matching(target).select('id')).map(({ id }: CopiedRow) => Number(id)))
      rows = rows.filter(({ id }) => !existingIds.has(Number(id)))
    } else await matching(target).delete()
    await insertCopiedRows(target, table, rows)
  }
}

function whereKeys(query: Knex.QueryBuilder, { key, hasId }: CopiedTable, keys: readonly unknown[][]): void {
  if (hasId) {
    const ids = keys.map(([id]) => Number(id))
    query.whereIn('id', ids)
    return
  }
  query.where((either) => {
    for (const values of keys) either.orWhere(Object.fromEntries(key.map((column, at) => [column, values[at]])))
  })
}

/** A digest of rows that does not depend on their order: their number and the sum of their hashes. */
export interface RowsDigest {
  rows: number
  hash: bigint
}

export const NO_ROWS: RowsDigest = { rows: 0, hash: 0n }

export function addDigests(one: RowsDigest, other: RowsDigest): RowsDigest {
  return { rows: one.rows + other.rows, hash: BigInt.asUintN(Number(HASH_BITS), one.hash + other.hash) }
}

/**
 * Returns equal digests for equal rows of SQLite and PostgreSQL. Booleans become numbers, bytes become hexadecimal, and
 * fractions are rounded to the digits that both databases keep.
 */
export function digestRows(table: CopiedTable, rows: readonly CopiedRow[]): RowsDigest {
  let hash = 0n
  for (const row of rows) {
    const values = table.columns.map((column) => plainValue(row[column], table.fractions.has(column)))
    hash += createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE(0)
  }
  return { rows: rows.length, hash: BigInt.asUintN(Number(HASH_BITS), hash) }
}

function plainValue(value: unknown, isFraction: boolean): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return isFraction ? Number(Number(value).toPrecision(FRACTION_DIGITS)) : value
}
