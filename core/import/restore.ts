import type { Knex } from 'knex'
import { findAmong } from '../db/bulk-insert.ts'
import { fromJson } from '../db/json.ts'
import type { Sign } from '../ledger/chain.ts'
import type { Secrets } from '../secrets.ts'
import { planLimitsRestore, planRestore, type StoredStates } from './column-states.ts'
import { rowsCreatedBy } from './dependents.ts'
import { IMPORT_KINDS, type ImportKind } from './kinds.ts'
import { readLimitAmounts, setLimits } from './limits.ts'
import type { RowKind } from './mappers/mapper.ts'
import type { RowNote } from './report.ts'
import type { StoredImport } from './stored-imports.ts'
import { type Before, moveQuota, recordCachedChanges } from './write-kind.ts'

const ROWS_AT_ONCE = 2000

export interface RestoreContext {
  secrets: Secrets
  sign: Sign
  now: number
  actorId: number
}

interface StoredChange {
  target: number
  quota: number
  used: number
  before: Before
}

/**
 * Undoes the changes that an import made to rows of earlier imports. Keeps values that were changed in this gateway
 * later, and returns notes about them. The notes have the ids of the target rows.
 */
export async function restoreChanges(
  trx: Knex.Transaction,
  stored: StoredImport,
  context: RestoreContext,
): Promise<RowNote[]> {
  const keptNotes: RowNote[] = []
  for (const kind of IMPORT_KINDS) {
    for (let after = -1; ; ) {
      const changes = await readChanges(trx, stored, { kind: kind.kind, after })
      if (changes.length === 0) break
      const moves = changes.map(({ target, quota, used }) => ({ id: target, quota: -quota, used: -used }))
      const reference = ({ id }: { id: number }) => `undo-${stored.id}-user-${id}`
      await moveQuota(trx, kind.kind, moves, { ...context, note: `import ${stored.id} undone`, reference })
      keptNotes.push(...(await restoreFields(trx, stored, { kind, changes }, context)))
      keptNotes.push(...(await restoreLimits(trx, stored, { kind: kind.kind, changes }, context)))
      await restoreStates(trx, stored, { kind: kind.kind, changes })
      const targets = changes.map(({ target }) => target)
      await recordCachedChanges(trx, kind.kind, targets)
      after = targets.at(-1) ?? after
    }
  }
  await trx('import_changes').where({ import_id: stored.id }).delete()
  return keptNotes
}

/**
 * Returns the next changes, by target id. Omits rows that the import itself created, because the undo deletes them. A
 * resumed import may have changed such rows.
 */
async function readChanges(
  trx: Knex.Transaction,
  { id }: StoredImport,
  { kind, after }: { kind: RowKind; after: number },
): Promise<StoredChange[]> {
  const rows = await trx('import_changes')
    .where({ import_id: id, kind })
    .where('target_row', '>', after)
    .whereNotIn('target_row', rowsCreatedBy(trx, id, kind))
    .orderBy('target_row')
    .limit(ROWS_AT_ONCE)
    .select('target_row', 'quota', 'used', 'before')
  return rows.map(({ target_row: target, quota, used, before }) => {
    return { target, quota, used, before: fromJson(before) }
  })
}

interface Changes<K = RowKind> {
  kind: K
  changes: readonly StoredChange[]
}

async function restoreFields(
  trx: Knex.Transaction,
  stored: StoredImport,
  { kind, changes }: Changes<ImportKind>,
  { secrets }: RestoreContext,
): Promise<RowNote[]> {
  const written = changes.filter(({ before }) => before.fields !== undefined)
  const columns = new Set(written.flatMap(({ before }) => Object.keys(before.fields ?? {})))
  const rows = await findAmong<{ id: number } & Record<string, unknown>>(trx, kind.kind, {
    ...{ column: 'id', values: written.map(({ target }) => target), select: ['id', ...columns], isLocked: true },
  })
  const presentRows = new Map(rows.map((row) => [row.id, row]))
  const states = await readStates(trx, stored, { kind: kind.kind, changes: written })
  const notes: RowNote[] = []
  const restored: number[] = []
  for (const { target, before } of written) {
    const present = presentRows.get(target)
    if (!present || !before.fields) continue
    const plan = planRestore(kind, { before: before.fields, present, states: states.get(target) ?? null }, secrets)
    for (const what of plan.kept) notes.push({ table: kind.kind, id: target, what })
    if (plan.restore.length === 0) continue
    const { fields } = before
    await trx(kind.kind)
      .where({ id: target })
      .update(Object.fromEntries(plan.restore.map((column) => [column, fields[column]])))
    restored.push(target)
  }
  if (restored.length > 0) await kind.afterWrite?.(trx, restored)
  return notes
}

async function restoreLimits(
  trx: Knex.Transaction,
  stored: StoredImport,
  { kind, changes }: Changes,
  context: RestoreContext,
): Promise<RowNote[]> {
  const written = changes.filter(({ before }) => before.limits !== undefined)
  if (written.length === 0 || (kind !== 'users' && kind !== 'tokens')) return []
  const present = await readLimitAmounts(trx, kind)
  const states = await readStates(trx, stored, { kind, changes: written })
  const notes: RowNote[] = []
  for (const { target, before } of written) {
    const limits = before.limits ?? {}
    const plan = planLimitsRestore(states.get(target) ?? null, limits, present.get(target) ?? {})
    for (const what of plan.kept) notes.push({ table: kind, id: target, what })
    const amounts = Object.fromEntries(plan.restore.map((name) => [name, limits[name] ?? null]))
    await setLimits(trx, { kind, target, amounts }, context)
  }
  return notes
}

/** Returns the column states (JSON of `ColumnStates`) by target id. */
async function readStates(
  trx: Knex.Transaction,
  { sourceId }: StoredImport,
  { kind, changes }: Changes,
): Promise<Map<number, StoredStates>> {
  const targets = changes.map(({ target }) => target)
  const rows: { target_row: number; column_states: StoredStates }[] = await trx('import_rows')
    .where({ source_id: sourceId, kind })
    .whereIn('target_row', targets)
    .select('target_row', 'column_states')
  return new Map(rows.map(({ target_row, column_states }) => [target_row, column_states]))
}

async function restoreStates(
  trx: Knex.Transaction,
  { sourceId }: StoredImport,
  { kind, changes }: Changes,
): Promise<void> {
  for (const { target, before } of changes) {
    const { quota, used, digest, states } = before
    await trx('import_rows')
      .where({ source_id: sourceId, kind, target_row: target })
      .update({ quota, used, digest, column_states: states ?? null })
  }
}
