import type { Knex } from 'knex'
import { findOption } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'

export type Row = Record<string, unknown>

/** A table that is exported: how its rows are read in order, and which columns are sealed. */
export interface ExportedTable {
  readonly table: string
  /** Ascending, for reading in batches; absent: the table is small, and read at once. */
  readonly id?: string
  readonly order: readonly string[]
  readonly sealed?: readonly string[]
  /** Columns whose sums the manifest has. */
  readonly sums?: readonly string[]
  /** Never exported: they are made from secrets that are, or from the master key. */
  readonly omitted?: readonly string[]
}

const byId = (table: string, more: Partial<ExportedTable> = {}): ExportedTable => ({
  table,
  id: 'id',
  order: ['id'],
  ...more,
})

/** Everything but what belongs to running processes, sessions and codes that expire. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  byId('users', {
    sealed: ['access_token'],
    sums: ['quota', 'used_quota'],
    omitted: ['access_token_hash', 'held_quota', 'name_skeleton'],
  }),
  byId('tokens', { sealed: ['key'], sums: ['remain_quota', 'used_quota'], omitted: ['key_hash', 'held_quota'] }),
  byId('channels', { sealed: ['key'], sums: ['used_quota'] }),
  { table: 'abilities', order: ['channel_id', 'group', 'model'] },
  { table: 'options', order: ['key'] },
  byId('redemptions', { sums: ['quota'] }),
  byId('top_ups', { sums: ['quota'] }),
  byId('midjourneys', { sums: ['quota'], omitted: ['key_digest'] }),
  byId('tasks', { sums: ['quota'], omitted: ['key_digest'] }),
  byId('ledger_entries', { sums: ['quota'], omitted: ['hash'] }),
  { table: 'carried_sums', order: ['account', 'account_id'], sums: ['quota'] },
  byId('quota_data', { sums: ['quota'] }),
  byId('logs', { sums: ['quota'] }),
  byId('audit'),
]

const ROWS_AT_ONCE = 5000

/** All rows of a table in batches. Sealed columns are in clear text, or empty without `secrets`. */
export async function* readTable(
  trx: Knex,
  { table, id, order, sealed = [], omitted = [] }: ExportedTable,
  secrets: Secrets | undefined,
): AsyncGenerator<Row[]> {
  const opened = (row: Row): Row => {
    for (const column of omitted) delete row[column]
    for (const column of sealed) row[column] = open(row[column])
    if (table === 'options' && findOption(String(row.key))?.secret) row.value = open(row.value)
    return row
  }
  const open = (value: unknown): unknown =>
    typeof value !== 'string' || !secrets ? (value === null ? null : '') : secrets.open(value)
  for (let after: unknown = -1; ; ) {
    const rows: Row[] = await trx(table)
      .modify((query) => {
        if (id !== undefined) query.where(id, '>', after as number).limit(ROWS_AT_ONCE)
      })
      .orderBy(order.map((column) => ({ column })))
      .select('*')
    if (rows.length > 0) {
      after = id === undefined ? after : rows.at(-1)?.[id]
      yield rows.map(opened)
    }
    if (id === undefined || rows.length < ROWS_AT_ONCE) return
  }
}
