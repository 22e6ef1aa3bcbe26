import type { Knex } from 'knex'
import type { Database } from '../database.ts'

/** A table that exists in both databases. */
export interface CopiedTable {
  readonly table: string
  readonly columns: readonly string[]
  /** Columns of the primary key. For most tables, it is `id` alone. */
  readonly key: readonly string[]
  /** Whether the key is an `id` that the database assigns in growing order. */
  readonly hasId: boolean
  /** Columns with fractions, which the databases store with different precision. */
  readonly fractions: ReadonlySet<string>
  /** Binary columns, which JSON cannot contain. */
  readonly bytes: ReadonlySet<string>
  /** Integer columns whose sums are compared. */
  readonly sums: readonly string[]
}

/** Tables that the target's migrations fill, or that exist only during the copy. */
const NOT_COPIED = new Set(['migrations', 'sqlite_sequence', 'copy_changes', 'unfinished_copy'])
/** Tables whose ids are the ids of another table, so that they have no sequence. */
const FOREIGN_IDS = new Set(['teams'])
const SUMMED = new Set(['quota', 'used_quota', 'remain_quota', 'held_quota', 'granted_quota', 'balance_after', 'count'])

/** Returns all tables to copy, sorted by name. */
export async function readTables({ kind, reader }: Pick<Database, 'kind' | 'reader'>): Promise<CopiedTable[]> {
  const descriptions = kind === 'sqlite' ? await fromSqlite(reader) : await fromPostgres(reader)
  return descriptions
    .filter(({ table }) => !NOT_COPIED.has(table))
    .map(({ table, columns, key }) => ({
      table,
      columns: columns.map(({ name }) => name).sort(),
      key,
      hasId:
        !FOREIGN_IDS.has(table) &&
        key.join() === 'id' &&
        columns.some(({ name, type }) => name === 'id' && /int/i.test(type)),
      fractions: new Set(columns.filter(({ type }) => /float|real|double/i.test(type)).map(({ name }) => name)),
      bytes: new Set(columns.filter(({ type }) => /blob|bytea/i.test(type)).map(({ name }) => name)),
      sums: columns.map(({ name }) => name).filter((name) => SUMMED.has(name)),
    }))
    .sort((one, other) => (one.table < other.table ? -1 : 1))
}

interface TableDescription {
  table: string
  columns: { name: string; type: string }[]
  key: string[]
}

async function fromSqlite(reader: Knex): Promise<TableDescription[]> {
  const tables: { name: string }[] = await reader('sqlite_master').where({ type: 'table' }).select('name')
  const descriptions: TableDescription[] = []
  for (const { name } of tables) {
    const columns: { name: string; type: string; pk: number }[] = await reader.raw(`PRAGMA table_info("${name}")`)
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    descriptions.push({ table: name, columns, key: key.map((column) => column.name) })
  }
  return descriptions
}

async function fromPostgres(reader: Knex): Promise<TableDescription[]> {
  const { rows } = await reader.raw<{ rows: { table: string; name: string; type: string }[] }>(`
    SELECT columns.table_name AS "table", column_name AS name, data_type AS type
    FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    JOIN pg_class ON pg_class.oid = format('%I.%I', table_schema, table_name)::regclass
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND NOT relispartition
    ORDER BY ordinal_position`)
  // The primary key of a partitioned table is taken from its default partition.
  const keys = await reader.raw<{ rows: { table: string; name: string }[] }>(`
    SELECT COALESCE(parent.relname, pg_class.relname) AS "table", pg_attribute.attname AS name
    FROM pg_index
    JOIN pg_class ON pg_class.oid = pg_index.indrelid
    JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND pg_attribute.attnum = ANY (pg_index.indkey)
    LEFT JOIN pg_partitioned_table ON pg_partitioned_table.partdefid = pg_class.oid
    LEFT JOIN pg_class parent ON parent.oid = pg_partitioned_table.partrelid
    WHERE pg_index.indisprimary AND pg_class.relnamespace = current_schema()::regnamespace
    ORDER BY array_position(pg_index.indkey::int2[], pg_attribute.attnum)`)
  const tables = new Map<string, TableDescription>()
  for (const { table, name, type } of rows) {
    const description = tables.get(table) ?? { table, columns: [], key: [] }
    description.columns.push({ name, type })
    tables.set(table, description)
  }
  for (const { table, name } of keys.rows) tables.get(table)?.key.push(name)
  return [...tables.values()]
}
