import type { Knex } from 'knex'
import { fromJson, toJson } from '../db/json.ts'
import { highestId } from '../db/new-ids.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import type { AddedCount, CountsState } from './counts.ts'
import type { LogPart } from './log-parts.ts'
import { ROW_KINDS, type RowKind } from './mappers/mapper.ts'
import type { ImportReport, Product } from './report.ts'

/** Progress of an import. An import is resumed or undone by its progress, `import_rows` and `import_changes`. */
export interface ImportState {
  logParts?: LogPart[]
  /** Id of the source's newest log row when `logParts` were planned. Newer rows are left to the next import. */
  lastLogId?: number
  counts?: CountsState
  /** Counts that a later import added to existing users. */
  addedCounts?: AddedCount[]
  /** The highest ids before the import. Only rows with higher ids are new. */
  idsBefore?: IdsBefore
  /** Keys of options that this import stored, and that had no stored value before. */
  options?: string[]
  /** Digests of the values of `options`, by key. Imports of earlier versions have none. */
  optionDigests?: Record<string, string>
}

export type IdsBefore = Partial<Record<RowKind, number>>

/** Returns the highest id of each kind in the target. */
export async function highestIds(db: Knex): Promise<IdsBefore> {
  const highest: IdsBefore = {}
  for (const kind of ROW_KINDS) highest[kind] = await highestId(db, kind)
  return highest
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

/** Returns all imports, newest first. */
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
    state: fromJson(row.state),
    report: row.report === '' ? undefined : fromJson(row.report),
  }))
}

/** Returns an import. Throws IMPORT_NOT_FOUND. */
export async function getImport(db: Knex, id: number): Promise<StoredImport> {
  const stored = (await readImports(db)).find((each) => each.id === id)
  if (!stored) throw new GatewayError('IMPORT_NOT_FOUND', { id })
  return stored
}

/** Begins an import, or resumes an interrupted import of the source. Stores the source if it is new (`sourceId` 0). */
export async function beginImport(
  trx: Knex.Transaction,
  { sourceId, product, location }: { sourceId: number; product: Product; location: string },
  { actorId, now, logs, readAt }: { actorId: number; now: number; logs: string; readAt: number },
): Promise<{ sourceId: number; importId: number }> {
  const source =
    sourceId ||
    requireRow((await trx('import_sources').insert({ product, location, created_at: now }).returning('id'))[0]).id
  const running = await trx('imports').where({ source_id: source, status: 'running' }).orderBy('id', 'desc').first('id')
  if (running) {
    await trx('imports').where({ id: running.id }).where('read_at', '<', readAt).update({ read_at: readAt })
    return { sourceId: source, importId: running.id }
  }
  const begun = { status: 'running', actor_id: actorId, started_at: now, updated_at: now, read_at: readAt }
  const state = toJson({ idsBefore: await highestIds(trx) })
  const [inserted] = await trx('imports')
    .insert({ ...begun, source_id: source, logs, state, report: '' })
    .returning('id')
  return { sourceId: source, importId: requireRow(inserted).id }
}

/**
 * Returns whether another run has read the source after `readAt` (Unix milliseconds). Ignores times in the future,
 * which were stored before the clock was set back.
 */
export async function isOvertaken(trx: Knex, sourceId: number, readAt: number): Promise<boolean> {
  const later = await trx('imports')
    .where({ source_id: sourceId })
    .whereNot({ status: 'undone' })
    .whereBetween('read_at', [readAt + 1, Date.now()])
    .first('id')
  return later !== undefined
}

/**
 * Returns the progress of an import. Locks its row until the transaction ends, because another run may resume or undo
 * the import. Throws IMPORT_UNDONE if the import was undone, because nothing could undo rows that are written now.
 */
export async function readImportState(trx: Knex.Transaction, id: number): Promise<ImportState> {
  const row = await trx('imports').where({ id }).forUpdate().first('state', 'status')
  if (row?.status === 'undone') throw new GatewayError('IMPORT_UNDONE', { id })
  return row ? fromJson(row.state) : {}
}

export async function saveState(trx: Knex.Transaction, id: number, state: ImportState, now: number): Promise<void> {
  await trx('imports')
    .where({ id })
    .update({ state: toJson(state), updated_at: now })
}
