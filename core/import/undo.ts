import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { inParts } from '../in-parts.ts'
import { openBalances } from '../ledger/opening.ts'
import { removeLimitsOfSubjects } from '../limits/remove.ts'
import type { Secrets } from '../secrets.ts'
import { type AddedCount, addCounts, addModelHours } from './counts.ts'
import { findDependents, rowsCreatedBy } from './dependents.ts'
import type { RowKind } from './mappers/mapper.ts'
import { readStoredOptions } from './options.ts'
import { ENTITIES, ERASED, isReferred, type Referred } from './references.ts'
import type { RowNote } from './report.ts'
import { type RestoreContext, restoreChanges } from './restore.ts'
import type { ImportParts } from './run.ts'
import { getImport, highestIds, readImportState, readImports, type StoredImport, saveState } from './stored-imports.ts'
import { recordCachedChanges } from './write-kind.ts'

const DELETED_AT_ONCE = 2000

export interface UndoReport {
  /** Number of deleted rows per table. */
  deleted: Record<string, number>
  /** Keys of the import's options that were not deleted, because their values were changed later or may have been. */
  keptOptions: string[]
  /**
   * Notes about values that the import wrote to rows of earlier imports. They were not restored, because they were
   * changed later or may have been. Ids are those of the target rows.
   */
  kept: RowNote[]
}

/**
 * Undoes an import in one transaction. Deletes its rows and restores values that it changed. The ledger entries of its
 * users stay. One more entry per user removes the balance. Root only. Throws IMPORT_NOT_FOUND, IMPORT_UNDONE, and
 * IMPORT_DEPENDED_ON with the reason.
 */
export async function undoImport(
  { db, secrets, sign, audit, follower, now }: ImportParts,
  actor: Actor,
  id: number,
): Promise<UndoReport> {
  requireRole(actor, ROLE.root)
  const report = await db.transaction(async (trx) => {
    await db.withoutTimeouts(trx)
    await db.serialize(trx, 'import')
    await db.serialize(trx, 'limits')
    // Throws if the import was undone before. A process that copies the import's logs waits for this lock, then fails.
    await readImportState(trx, id)
    const stored = await getImport(trx, id)
    await lockAccounts(trx, id)
    const reason = await findDependents(trx, stored)
    if (reason !== undefined) throw new GatewayError('IMPORT_DEPENDED_ON', { id, reason })
    const deletedRows: Record<string, number> = {}
    deletedRows.logs = await deleteLogs(trx, stored)
    deletedRows.quota_data = await subtractCounts(trx, stored)
    const context: RestoreContext = { secrets, sign, now: now(), actorId: actor.id }
    const kept = await restoreChanges(trx, stored, context)
    await closeBalances(trx, stored, context)
    for (const kind of ['tasks', 'midjourneys', 'top_ups', 'redemptions', 'tokens', 'channels', 'users'] as const) {
      deletedRows[kind] = await deleteRows(trx, id, kind)
    }
    const options = await deleteOptions(trx, stored, secrets)
    deletedRows.options = options.deleted
    await raiseIdsBefore(trx)
    await trx('import_rows').where({ import_id: id }).delete()
    await trx('imports').where({ id }).update({ status: 'undone', updated_at: now() })
    await audit.write(trx, actor, { action: 'import.undo', object: `import:${id}`, before: deletedRows })
    return { deleted: deletedRows, keptOptions: options.kept, kept }
  })
  await follower.catchUp()
  return report
}

/**
 * Locks the users and tokens of the import, so that no charge begins after the check for dependents. Relays lock these
 * rows in the same order.
 */
async function lockAccounts(trx: Knex.Transaction, id: number): Promise<void> {
  for (const kind of ['users', 'tokens'] as const) {
    await trx(kind)
      .whereIn('id', rowsCreatedBy(trx, id, kind))
      .orderBy('id')
      .forUpdate()
      .select('id')
  }
}

async function deleteLogs(trx: Knex.Transaction, { state }: StoredImport): Promise<number> {
  let deleted = 0
  for (const { from, done, offset } of state.logParts ?? []) {
    deleted += await trx('logs')
      .whereBetween('id', [from + offset, done + offset])
      .whereNull('request_id')
      .delete()
  }
  return deleted
}

const negate = (row: AddedCount): AddedCount => [row[0], row[1], row[2], row[3], -row[4], -row[5], -row[6]]

async function subtractCounts(trx: Knex.Transaction, { id, state }: StoredImport): Promise<number> {
  const added = (state.addedCounts ?? []).map(negate)
  await addCounts(trx, added)
  await addModelHours(trx, added)
  const users = rowsCreatedBy(trx, id, 'users')
  const sums: Record<string, number | string>[] = await trx('quota_data')
    .whereIn('user_id', users)
    .groupBy('created_at', 'model_name')
    .select('created_at', 'model_name')
    .sum({ count: 'count', quota: 'quota', token_used: 'token_used' })
  await addModelHours(
    trx,
    sums.map(({ created_at, model_name, count, quota, token_used }) =>
      negate([0, '', Number(created_at), String(model_name), Number(count), Number(quota), Number(token_used)]),
    ),
  )
  await trx('model_hours').where({ count: 0, quota: 0, token_used: 0 }).delete()
  return (await trx('quota_data').whereIn('user_id', users).delete()) + added.length
}

/** Removes the balances of deleted users by ledger entries, so that the sums of the ledger still match. */
async function closeBalances(
  trx: Knex.Transaction,
  { id }: StoredImport,
  { sign, now, actorId }: RestoreContext,
): Promise<void> {
  const users: { id: number; quota: number }[] = await trx('users')
    .whereIn('id', rowsCreatedBy(trx, id, 'users'))
    .select('id', 'quota')
  const closings = users.map((user) => ({
    userId: user.id,
    quota: -user.quota,
    reference: `undo-${id}-user-${user.id}`,
  }))
  await openBalances(trx, closings, { sign, now, actorId, note: `import ${id} undone` })
}

async function deleteRows(trx: Knex.Transaction, id: number, kind: RowKind): Promise<number> {
  const targets: number[] = await rowsCreatedBy(trx, id, kind).clearSelect().pluck('target_row')
  for (const part of inParts(targets, DELETED_AT_ONCE)) {
    if (isReferred(kind)) {
      await trx('carried_sums').where({ account: ENTITIES[kind] }).whereIn('account_id', part).delete()
      await eraseReferences(trx, kind, part)
    }
    await trx(kind).whereIn('id', part).delete()
    await recordCachedChanges(trx, kind, part)
  }
  return targets.length
}

/** Deletes the credentials, settings and limits of deleted rows, because they must not stay in effect. */
async function eraseReferences(trx: Knex.Transaction, kind: Referred, ids: readonly number[]): Promise<void> {
  for (const [table, column] of ERASED[kind]) await trx(table).whereIn(column, ids).delete()
  await removeLimitsOfSubjects(trx, ENTITIES[kind], ids)
  if (kind === 'channels') return
  await trx('notice_thresholds').where({ subject: ENTITIES[kind] }).whereIn('subject_id', ids).delete()
  if (kind !== 'users') return
  const targets: number[] = await trx('notice_targets').whereIn('user_id', ids).pluck('id')
  await trx('notice_deliveries').whereIn('target_id', targets).delete()
  await trx('notice_targets').whereIn('user_id', ids).delete()
}

/** Raises `idsBefore` of interrupted imports, so that they do not choose ids of deleted rows. */
async function raiseIdsBefore(trx: Knex.Transaction): Promise<void> {
  for (const { id, status, updatedAt } of await readImports(trx)) {
    if (status !== 'running') continue
    const state = await readImportState(trx, id)
    await saveState(trx, id, { ...state, idsBefore: await highestIds(trx) }, updatedAt)
  }
}

/**
 * Deletes the import's options whose values have not changed, so that their defaults apply again. Keeps options without
 * a digest, because they may have changed.
 */
async function deleteOptions(
  trx: Knex.Transaction,
  { state }: StoredImport,
  secrets: Secrets,
): Promise<{ deleted: number; kept: string[] }> {
  const stored = await readStoredOptions(trx, secrets)
  const storedOptions = (state.options ?? []).flatMap((key) => {
    const text = stored.get(key)
    return text === undefined ? [] : [{ key, isUnchanged: state.optionDigests?.[key] === secrets.digest(text) }]
  })
  const keys = storedOptions.filter(({ isUnchanged }) => isUnchanged).map(({ key }) => key)
  const deleted = await trx('options').whereIn('key', keys).delete()
  await recordChange(trx, 'option', keys)
  return { deleted, kept: storedOptions.filter(({ isUnchanged }) => !isUnchanged).map(({ key }) => key) }
}
