import type { Knex } from 'knex'
import { bulkInsert } from '../db/bulk-insert.ts'
import { toJson } from '../db/json.ts'
import { firstStates, type StoredStates } from './column-states.ts'
import type { ImportKind } from './kinds.ts'
import type { MappedRow, RowKind } from './mappers/mapper.ts'

/** A row that an earlier import created: its id in the target, and the source's values when they were last read. */
export interface KnownRow {
  target: number
  importId: number
  quota: number
  used: number
  digest: string
  /** JSON of `ColumnStates`. Null for a row that was imported before column states existed. */
  states: StoredStates
}

export type KnownRows = Map<number, KnownRow>

const ROWS_AT_ONCE = 20_000

/** Returns all imported rows of a kind from a source, by the row's id at the source. */
export async function readKnownRows(db: Knex, sourceId: number, kind: RowKind): Promise<KnownRows> {
  const knownRows: KnownRows = new Map()
  for (let after = -1; ; ) {
    const rows = await db('import_rows')
      .where({ source_id: sourceId, kind })
      .where('source_row', '>', after)
      .orderBy('source_row')
      .limit(ROWS_AT_ONCE)
      .select('source_row', 'target_row', 'import_id', 'quota', 'used', 'digest', 'column_states')
    for (const { source_row, target_row: target, import_id: importId, quota, used, digest, column_states } of rows) {
      knownRows.set(source_row, { target, importId, quota, used, digest, states: column_states })
    }
    if (rows.length < ROWS_AT_ONCE) return knownRows
    after = rows.at(-1)?.source_row ?? after
  }
}

/** Stores which rows an import has inserted, in the same transaction. */
export function rememberRows(
  trx: Knex.Transaction,
  { sourceId, importId, kind }: { sourceId: number; importId: number; kind: ImportKind },
  rows: readonly { row: MappedRow; target: number }[],
): Promise<void> {
  return bulkInsert(
    trx,
    'import_rows',
    ['source_id', 'kind', 'source_row', 'target_row', 'import_id', 'quota', 'used', 'digest', 'column_states'],
    rows.map(({ row, target }) => [
      ...[sourceId, kind.kind, row.id, target, importId, row.quota, row.used, row.digest],
      toJson(firstStates(kind, row)),
    ]),
  )
}
