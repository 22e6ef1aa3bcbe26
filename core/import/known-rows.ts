import type { Knex } from 'knex'
import { bulkInsert } from '../db/bulk-insert.ts'
import type { MappedRow, RowKind } from './mappers/mapper.ts'

/** A row that was imported before: where it is, and how it was at the source when it was read last. */
export interface KnownRow {
  target: number
  importId: number
  quota: number
  used: number
  digest: string
}

export type KnownRows = Map<number, KnownRow>

const ROWS_AT_ONCE = 20_000

/** All rows of a kind that were imported from a source, by their ids there. */
export async function readKnownRows(db: Knex, sourceId: number, kind: RowKind): Promise<KnownRows> {
  const known: KnownRows = new Map()
  for (let after = -1; ; ) {
    const rows = (await db('import_rows')
      .where({ source_id: sourceId, kind })
      .where('source_row', '>', after)
      .orderBy('source_row')
      .limit(ROWS_AT_ONCE)
      .select('source_row', 'target_row', 'import_id', 'quota', 'used', 'digest')) as {
      source_row: number
      target_row: number
      import_id: number
      quota: number
      used: number
      digest: string
    }[]
    for (const { source_row, target_row: target, import_id: importId, quota, used, digest } of rows) {
      known.set(source_row, { target, importId, quota, used, digest })
    }
    if (rows.length < ROWS_AT_ONCE) return known
    after = rows.at(-1)?.source_row ?? after
  }
}

/** Remembers rows that are new, in the transaction that inserts them. */
export function rememberRows(
  trx: Knex.Transaction,
  { sourceId, importId, kind }: { sourceId: number; importId: number; kind: RowKind },
  rows: readonly { row: MappedRow; target: number }[],
): Promise<void> {
  return bulkInsert(
    trx,
    'import_rows',
    ['source_id', 'kind', 'source_row', 'target_row', 'import_id', 'quota', 'used', 'digest'],
    rows.map(({ row, target }) => [sourceId, kind, row.id, target, importId, row.quota, row.used, row.digest]),
  )
}
