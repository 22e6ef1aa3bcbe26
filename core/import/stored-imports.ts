import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { AddedCount, CountsState } from './counts.ts'
import { keyHash } from './key-hash.ts'
import type { LogPart } from './log-parts.ts'
import type { ImportReport, Product } from './report.ts'

/** How far an import has come; with its rows, all that is needed to go on with it or to undo it. */
export interface ImportState {
  logParts?: LogPart[]
  counts?: CountsState
  /** What a later import added to the counts of users that were here. */
  addedCounts?: AddedCount[]
  /** Keys of options that this import stored. They had no row before. */
  options?: string[]
}

export interface StoredImport {
  id: number
  sourceId: number
  product: Product
  source: string
  status: 'running' | 'done' | 'undone'
  startedAt: number
  updatedAt: number
  state: ImportState
  report: ImportReport | undefined
}

const SAMPLE = 200

/** All imports, newest first. */
export async function readImports(db: Knex): Promise<StoredImport[]> {
  const rows = await db('imports')
    .join('import_sources', 'import_sources.id', 'imports.source_id')
    .orderBy('imports.id', 'desc')
    .select('imports.*', 'import_sources.product', 'import_sources.location')
  return rows.map((row) => ({
    id: row.id,
    sourceId: row.source_id,
    product: row.product,
    source: row.location,
    status: row.status,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    state: JSON.parse(row.state) as ImportState,
    report: row.report === '' ? undefined : (JSON.parse(row.report) as ImportReport),
  }))
}

/** Throws IMPORT_NOT_FOUND. */
export async function getImport(db: Knex, id: number): Promise<StoredImport> {
  const found = (await readImports(db)).find((each) => each.id === id)
  if (!found) throw new GatewayError('IMPORT_NOT_FOUND', { id })
  return found
}

/**
 * The source by its address, or by what it holds: a copy at another address, or a dump, is the same source if the keys of its tokens
 * were imported from there. 0 for one that is new.
 */
export async function findSource(
  db: Knex,
  { product, location }: { product: Product; location: string },
  { tokens, secrets }: { tokens: readonly { id: number; key: string }[]; secrets: Secrets },
): Promise<number> {
  const byAddress = await db('import_sources').where({ product, location }).orderBy('id', 'desc').first('id')
  if (byAddress) return byAddress.id
  const sample = tokens.slice(0, SAMPLE)
  if (sample.length === 0) return 0
  const ids = new Map(sample.map(({ id, key }) => [keyHash(secrets, key), id]))
  const rows: { source_id: number; source_row: number; key_hash: string }[] = await db('tokens')
    .join('import_rows', (join) => {
      join.on('import_rows.target_row', 'tokens.id').andOn(db.raw(`import_rows.kind = 'tokens'`))
    })
    .join('import_sources', 'import_sources.id', 'import_rows.source_id')
    .where('import_sources.product', product)
    .whereIn('tokens.key_hash', [...ids.keys()])
    .select('import_rows.source_id', 'import_rows.source_row', 'tokens.key_hash')
  const same = rows.filter(({ source_row, key_hash }) => ids.get(key_hash) === source_row)
  return same[0]?.source_id ?? 0
}

/** Stores a source that is new, and begins an import of it; or goes on with one that was interrupted. */
export async function beginImport(
  trx: Knex.Transaction,
  { sourceId, product, location }: { sourceId: number; product: Product; location: string },
  { actorId, now, logs }: { actorId: number; now: number; logs: string },
): Promise<{ sourceId: number; importId: number }> {
  const source =
    sourceId || (await trx('import_sources').insert({ product, location, created_at: now }).returning('id'))[0].id
  const running = await trx('imports').where({ source_id: source, status: 'running' }).orderBy('id', 'desc').first('id')
  if (running) return { sourceId: source, importId: running.id }
  const row = { source_id: source, status: 'running', actor_id: actorId, started_at: now, updated_at: now }
  const [{ id }] = await trx('imports')
    .insert({ ...row, logs, state: '{}', report: '' })
    .returning('id')
  return { sourceId: source, importId: id }
}

/** How far an import has come. The row is locked until the transaction ends, since another run of the same import may go on with it. */
export async function readState(trx: Knex.Transaction, id: number): Promise<ImportState> {
  const row = await trx('imports').where({ id }).forUpdate().first('state')
  return JSON.parse(row?.state ?? '{}') as ImportState
}

export async function saveState(trx: Knex.Transaction, id: number, state: ImportState, now: number): Promise<void> {
  await trx('imports')
    .where({ id })
    .update({ state: JSON.stringify(state), updated_at: now })
}
