import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { bulkInsert, findAmong, type InsertedValue } from '../db/bulk-insert.ts'
import { fromJson, toJson } from '../db/json.ts'
import { reserveIds } from '../db/new-ids.ts'
import type { Sign } from '../ledger/chain.ts'
import { openBalances, openBudgets, openUsed } from '../ledger/opening.ts'
import type { Secrets } from '../secrets.ts'
import {
  type ColumnStates,
  firstStates,
  type LimitAmounts,
  planRow,
  type RowPlan,
  type StoredStates,
  updatedColumns,
  wasGone,
} from './column-states.ts'
import type { ImportKind } from './kinds.ts'
import { type KnownRow, rememberRows } from './known-rows.ts'
import type { MappedRow, RowKind } from './mappers/mapper.ts'
import { ENTITIES, isReferred } from './references.ts'
import type { RowNote } from './report.ts'
import type { IdsBefore } from './stored-imports.ts'

/** The database of a dry run, which only reads, or the transaction of an import. */
export type ImportDb =
  | { readonly dry: true; readonly db: Knex }
  | { readonly dry: false; readonly db: Knex.Transaction }

/** Context for writing rows. */
export interface ImportWriteContext {
  sourceId: number
  importId: number
  secrets: Secrets
  sign: Sign
  now: number
  actorId: number
  /** The highest ids before this import. Absent in the dry run of a new import. */
  idsBefore?: IdsBefore | undefined
}

/** A row that an earlier import created, with its current values at the source. */
export interface ReimportedRow {
  row: MappedRow
  known: KnownRow
}

/** Inserts rows with the chosen ids, and opens their balances and usage in the ledger. */
export async function insertMappedRows(
  trx: Knex.Transaction,
  importKind: ImportKind,
  { rows, ids }: { rows: readonly MappedRow[]; ids: ReadonlyMap<number, number> },
  context: ImportWriteContext,
): Promise<void> {
  if (rows.length === 0) return
  const { kind, sealed, afterWrite } = importKind
  const placed = rows.map((row) => ({ row, target: ids.get(row.id) ?? row.id }))
  await reserveIds(trx, kind, highestTarget(placed))
  const [first] = placed
  const columns = [...new Set(['id', ...Object.keys(first?.row.fields ?? {}), ...Object.keys(sealedOf(first?.row))])]
  const cells = placed.map(({ row, target }): InsertedValue[] => {
    const values: Record<string, InsertedValue> = { ...row.fields, ...sealedOf(row), id: target }
    return columns.map((column) => values[column] ?? null)
  })
  await bulkInsert(trx, kind, columns, cells)
  await rememberRows(trx, { ...context, kind: importKind }, placed)
  const moves = placed.map(({ row: { quota, used, fields }, target }) => {
    return { id: target, quota, used, count: Number(fields.request_count ?? 0) }
  })
  const reference = ({ id }: Move) => `import-${context.importId}-user-${id}`
  await moveQuota(trx, kind, moves, { ...context, note: `import ${context.importId}`, reference })
  const targets = placed.map(({ target }) => target)
  await afterWrite?.(trx, targets)
  await recordCachedChanges(trx, kind, kind === 'channels' ? targets : targets.slice(0, 1))

  function sealedOf(row: MappedRow | undefined): Record<string, string | null> {
    return row ? sealed(row, context.secrets) : {}
  }
}

/** Returns the highest target id. Uses a loop, because `Math.max` fails with too many arguments. */
function highestTarget(placed: readonly { target: number }[]): number {
  let highest = 0
  for (const { target } of placed) highest = Math.max(highest, target)
  return highest
}

interface Move {
  id: number
  quota: number
  used: number
  /** Number of requests that a new user made at the source. Later imports do not update it. */
  count?: number
}

/** Adds quota to the balances of users or tokens, and usage to users, tokens or channels, in the ledger. */
export async function moveQuota(
  trx: Knex.Transaction,
  kind: RowKind,
  moves: readonly Move[],
  context: { sign: Sign; now: number; actorId: number; note: string; reference: (move: Move) => string },
): Promise<void> {
  if (kind === 'tokens') return openBudgets(trx, moves)
  const used = moves.map(({ id, used, count = 0 }) => ({ id, quota: used, count }))
  if (kind === 'channels') return openUsed(trx, 'channel', used)
  if (kind !== 'users') return
  const openings = moves.map((move) => ({ userId: move.id, quota: move.quota, reference: context.reference(move) }))
  await openBalances(trx, openings, context)
  await openUsed(trx, 'user', used)
}

/** Plan of a later import for rows of earlier imports. */
interface UpdatePlan {
  /**
   * Rows whose quota, usage or fields have changed at the source. `plan` is undefined if no field has changed, or if
   * the row was deleted in this gateway.
   */
  changedRows: readonly (ReimportedRow & { plan: RowPlan | undefined })[]
  /** Unchanged rows whose import stored no column states. */
  withoutStates: readonly ReimportedRow[]
  conflicts: RowNote[]
}

/** Compares rows of earlier imports with this gateway's current values. Locks the rows if `db` is a transaction. */
export async function planUpdates(
  db: Knex,
  kind: ImportKind,
  reimported: readonly ReimportedRow[],
  { secrets }: ImportWriteContext,
): Promise<UpdatePlan> {
  // A row that reappears at the source may have its old digest, although an import has disabled it.
  const isChanged = ({ row, known }: ReimportedRow) => row.digest !== known.digest || wasGone(known.states)
  const changed = reimported.filter(isChanged)
  const present = await readPresent(db, kind, changed)
  const plans = new Map<number, RowPlan>()
  const conflicts: RowNote[] = []
  for (const { row, known } of changed) {
    const values = present.get(known.target)
    if (!values) {
      conflicts.push({ table: kind.kind, id: row.id, what: 'it was changed at the source, but deleted here' })
      continue
    }
    const mayWrite = Object.entries(kind.mayUpdate ?? {}).every(([column, value]) => values[column] === value)
    const plan = planRow(kind, { row, present: values, states: known.states }, { secrets, mayWrite })
    plans.set(row.id, plan)
    for (const what of plan.conflicts) conflicts.push({ table: kind.kind, id: row.id, what })
  }
  return {
    changedRows: reimported
      .filter((each) => hasUsageChanged(each) || isChanged(each))
      .map((each) => ({ ...each, plan: plans.get(each.row.id) })),
    withoutStates: reimported.filter(({ row, known }) => row.digest === known.digest && known.states === null),
    conflicts,
  }
}

const hasUsageChanged = ({ row, known }: ReimportedRow) => row.quota !== known.quota || row.used !== known.used

async function readPresent(
  db: Knex,
  kind: ImportKind,
  changed: readonly ReimportedRow[],
): Promise<Map<number, Record<string, unknown>>> {
  const [first] = changed
  if (!first) return new Map()
  const values = changed.map(({ known }) => known.target)
  const columns = [...new Set(['id', ...updatedColumns(kind, first.row), ...Object.keys(kind.mayUpdate ?? {})])]
  const isLocked = db.isTransaction === true
  const rows = await findAmong<{ id: number } & Record<string, unknown>>(db, kind.kind, {
    ...{ column: 'id', values, select: columns, isLocked },
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Applies the source's changes since the last import: differences of quota and usage, and planned columns. */
export async function updateRows(
  trx: Knex.Transaction,
  kind: ImportKind,
  { changedRows, withoutStates }: UpdatePlan,
  context: ImportWriteContext,
): Promise<void> {
  for (const { row } of withoutStates) await rememberStates(trx, kind, row.id, firstStates(kind, row), context)
  if (changedRows.length === 0) return
  const moves = changedRows.map(({ row, known }) => ({
    id: known.target,
    quota: row.quota - known.quota,
    used: row.used - known.used,
    version: `${row.quota}-${row.used}`,
  }))
  const versions = new Map(moves.map(({ id, version }) => [id, version]))
  const reference = ({ id }: Move) => `import-${context.importId}-user-${id}-${versions.get(id)}`
  await moveQuota(trx, kind.kind, moves, { ...context, note: `import ${context.importId}`, reference })
  const written: number[] = []
  const changes: Change[] = []
  for (const { row, known, plan } of changedRows) {
    const fields =
      plan && plan.write.length > 0 ? await writeFields(trx, kind, { row, known, plan }, context) : undefined
    if (fields) written.push(known.target)
    if (plan) await rememberStates(trx, kind, row.id, plan.states, context)
    const move = { quota: row.quota - known.quota, used: row.used - known.used }
    changes.push({ kind: kind.kind, known, fields, ...move })
  }
  await rememberChanges(trx, changes, context)
  await rememberSource(trx, kind.kind, changedRows, context)
  if (written.length > 0) await kind.afterWrite?.(trx, written)
  const changedIds = changedRows.map(({ known }) => known.target)
  await recordCachedChanges(trx, kind.kind, changedIds)
}

/** Writes the planned columns of one row. Returns their previous values. */
async function writeFields(
  trx: Knex.Transaction,
  { kind, sealed }: ImportKind,
  { row, known, plan }: ReimportedRow & { plan: RowPlan },
  { secrets }: ImportWriteContext,
): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = { ...row.fields, ...sealed(row, secrets) }
  const before = await trx(kind)
    .where({ id: known.target })
    .first(...plan.write)
  await trx(kind)
    .where({ id: known.target })
    .update(Object.fromEntries(plan.write.map((column) => [column, whole[column] ?? null])))
  return before
}

export async function rememberStates(
  trx: Knex.Transaction,
  { kind }: Pick<ImportKind, 'kind'>,
  sourceRow: number,
  states: ColumnStates,
  { sourceId }: ImportWriteContext,
): Promise<void> {
  await trx('import_rows')
    .where({ source_id: sourceId, kind, source_row: sourceRow })
    .update({ column_states: toJson(states) })
}

/**
 * A change of a row by a later import. `quota` and `used` are differences. `known`, `fields` and `limits` are from before
 * the change.
 */
interface Change {
  kind: RowKind
  known: KnownRow
  quota: number
  used: number
  fields?: Record<string, unknown> | undefined
  limits?: LimitAmounts | undefined
}

/**
 * The values of a row before an import changed it, stored as JSON. `fields` and `limits` are values of this gateway. The
 * other values are the source's at the last import.
 */
export interface Before {
  fields?: Record<string, unknown>
  limits?: LimitAmounts
  quota: number
  used: number
  digest: string
  states?: StoredStates
}

/**
 * Stores the values that rows had before this import changed them. If the import changes a row again, adds to the stored
 * `quota` and `used`, and keeps the stored values of columns and limits, which are older.
 */
export async function rememberChanges(
  trx: Knex.Transaction,
  changes: readonly Change[],
  { importId }: ImportWriteContext,
): Promise<void> {
  for (const { kind, known, quota, used, fields, limits } of changes) {
    const key = { import_id: importId, kind, target_row: known.target }
    const stored = await trx('import_changes').where(key).first('before')
    const first = stored && fromJson(stored.before)
    const original: Before = first ?? {
      quota: known.quota,
      used: known.used,
      digest: known.digest,
      states: known.states,
    }
    const before = toJson<Before>({
      ...original,
      ...((fields || original.fields) && { fields: { ...fields, ...original.fields } }),
      ...((limits || original.limits) && { limits: { ...limits, ...original.limits } }),
    })
    await trx('import_changes')
      .insert({ ...key, quota, used, before })
      .onConflict(['import_id', 'kind', 'target_row'])
      .merge({
        quota: trx.raw('import_changes.quota + excluded.quota'),
        used: trx.raw('import_changes.used + excluded.used'),
        before,
      })
  }
}

async function rememberSource(
  trx: Knex.Transaction,
  kind: RowKind,
  reimported: readonly ReimportedRow[],
  { sourceId }: ImportWriteContext,
): Promise<void> {
  for (const { row, known } of reimported) {
    await trx('import_rows')
      .where({ source_id: sourceId, kind, source_row: row.id })
      .update({
        quota: row.quota,
        used: kind === 'redemptions' ? Math.max(row.used, known.used) : row.used,
        digest: row.digest,
      })
  }
}

/** Records changed rows in the change feed, so that gateways reload the rows that they cache. */
export async function recordCachedChanges(trx: Knex.Transaction, kind: RowKind, ids: readonly number[]): Promise<void> {
  if (isReferred(kind)) await recordChange(trx, ENTITIES[kind], [...ids])
}
