import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { bulkInsert, type Cell, findAmong } from '../db/bulk-insert.ts'
import { reserveIds } from '../db/new-ids.ts'
import type { Sign } from '../ledger/chain.ts'
import { openBalances, openBudgets, openUsed } from '../ledger/opening.ts'
import type { Secrets } from '../secrets.ts'
import type { Kind } from './kinds.ts'
import { type KnownRow, rememberRows } from './known-rows.ts'
import type { MappedRow, RowKind } from './mappers/mapper.ts'

/** What writing needs besides the rows. */
export interface WriteContext {
  sourceId: number
  importId: number
  secrets: Secrets
  sign: Sign
  now: number
  actorId: number
}

/** A row that an earlier import brought, and what it is now at the source. */
export interface Again {
  row: MappedRow
  known: KnownRow
}

/** Inserts rows under the ids that were chosen, and opens their accounts. */
export async function insertRows(
  trx: Knex.Transaction,
  { kind, sealed, afterWrite }: Kind,
  { rows, ids }: { rows: readonly MappedRow[]; ids: ReadonlyMap<number, number> },
  context: WriteContext,
): Promise<void> {
  if (rows.length === 0) return
  const placed = rows.map((row) => ({ row, target: ids.get(row.id) ?? row.id }))
  await reserveIds(trx, kind, Math.max(...highest(placed)))
  const [first] = placed
  const columns = ['id', ...Object.keys(first?.row.fields ?? {}), ...Object.keys(sealedOf(first?.row))]
  const cells = placed.map(({ row, target }): Cell[] => {
    const whole: Record<string, Cell> = { ...row.fields, ...sealedOf(row), id: target }
    return columns.map((column) => whole[column] ?? null)
  })
  await bulkInsert(trx, kind, columns, cells)
  await rememberRows(trx, { ...context, kind }, placed)
  const moves = placed.map(({ row: { quota, used, fields }, target }) => {
    return { id: target, quota, used, count: Number(fields.request_count ?? 0) }
  })
  await moveQuota(trx, kind, moves, { ...context, reference: ({ id }) => `import-${context.importId}-user-${id}` })
  const targets = placed.map(({ target }) => target)
  await afterWrite?.(trx, targets)
  await announce(trx, kind, kind === 'channels' ? targets : targets.slice(0, 1))

  function sealedOf(row: MappedRow | undefined): Record<string, string | null> {
    return row ? sealed(row, context.secrets) : {}
  }
}

/** In parts: a call with too many parameters fails. */
function highest(placed: readonly { target: number }[]): number[] {
  let most = 0
  for (const { target } of placed) most = Math.max(most, target)
  return [most]
}

interface Move {
  id: number
  quota: number
  used: number
  /** Requests of a new user that were made elsewhere: later imports leave the count as it is. */
  count?: number
}

async function moveQuota(
  trx: Knex.Transaction,
  kind: RowKind,
  moves: readonly Move[],
  { reference, ...context }: WriteContext & { reference: (move: Move) => string },
): Promise<void> {
  if (kind === 'tokens') return openBudgets(trx, moves)
  const used = moves.map(({ id, used, count = 0 }) => ({ id, quota: used, count }))
  if (kind === 'channels') return openUsed(trx, 'channel', used)
  if (kind !== 'users') return
  const openings = moves.map((move) => ({ userId: move.id, quota: move.quota, reference: reference(move) }))
  await openBalances(trx, openings, { ...context, note: `import ${context.importId}` })
  await openUsed(trx, 'user', used)
}

/**
 * Takes over what has changed at the source since the last import: differences of quota, and of the fields that may change. Returns
 * the ids at the source of rows whose fields were changed.
 */
export async function updateRows(
  trx: Knex.Transaction,
  kind: Kind,
  again: readonly Again[],
  context: WriteContext,
): Promise<number[]> {
  const moved = again.filter(
    ({ row, known }) => row.quota !== known.quota || row.used !== known.used || row.digest !== known.digest,
  )
  if (moved.length === 0) return []
  const moves = moved.map(({ row, known }) => ({
    id: known.target,
    quota: row.quota - known.quota,
    used: row.used - known.used,
    at: `${row.quota}-${row.used}`,
  }))
  const at = new Map(moves.map((move) => [move.id, move.at]))
  const reference = ({ id }: Move) => `import-${context.importId}-user-${id}-${at.get(id)}`
  await moveQuota(trx, kind.kind, moves, { ...context, reference })
  const changed: number[] = []
  const changes: Cell[][] = []
  for (const { row, known } of moved) {
    const before = row.digest === known.digest ? undefined : await updateFields(trx, kind, { row, known }, context)
    if (before) changed.push(row.id)
    const kept = { ...(before && { fields: before }), quota: known.quota, used: known.used, digest: known.digest }
    const move = { quota: row.quota - known.quota, used: row.used - known.used }
    changes.push([context.importId, kind.kind, known.target, move.quota, move.used, JSON.stringify(kept)])
  }
  await rememberChanges(trx, changes)
  await rememberAgain(trx, kind.kind, moved, context)
  const targets = moved.map(({ known }) => known.target)
  if (changed.length > 0) await kind.afterWrite?.(trx, targets)
  await announce(trx, kind.kind, targets)
  return changed
}

/** Writes the fields of one row. Returns what they were before; undefined if the row is not to be changed any more. */
async function updateFields(
  trx: Knex.Transaction,
  { kind, updated, sealed, mayUpdate = {} }: Kind,
  { row, known }: Again,
  { secrets }: WriteContext,
): Promise<Record<string, unknown> | undefined> {
  const whole: Record<string, unknown> = { ...row.fields, ...sealed(row, secrets) }
  const columns = updated === 'all' ? Object.keys(row.fields) : updated
  const before = await trx(kind)
    .where({ id: known.target, ...mayUpdate })
    .forUpdate()
    .first(...columns)
  if (!before) return undefined
  await trx(kind)
    .where({ id: known.target })
    .update(Object.fromEntries(columns.map((column) => [column, whole[column] ?? null])))
  return before
}

/** The first change of a row by an import keeps what was before it; a further one adds to its sums. */
async function rememberChanges(trx: Knex.Transaction, changes: readonly Cell[][]): Promise<void> {
  for (const [import_id, kind, target_row, quota, used, before] of changes) {
    await trx('import_changes')
      .insert({ import_id, kind, target_row, quota, used, before })
      .onConflict(['import_id', 'kind', 'target_row'])
      .merge({
        quota: trx.raw('import_changes.quota + excluded.quota'),
        used: trx.raw('import_changes.used + excluded.used'),
      })
  }
}

async function rememberAgain(
  trx: Knex.Transaction,
  kind: RowKind,
  again: readonly Again[],
  { sourceId }: WriteContext,
): Promise<void> {
  for (const { row, known } of again) {
    await trx('import_rows')
      .where({ source_id: sourceId, kind, source_row: row.id })
      .update({
        quota: row.quota,
        used: kind === 'redemptions' ? Math.max(row.used, known.used) : row.used,
        digest: row.digest,
      })
  }
}

const ENABLED = 1
const DISABLED = 2

/** Keys that were deleted at the source since must not go on working here. Returns how many were disabled. */
export async function disableMissing(
  trx: Knex.Transaction,
  missing: readonly KnownRow[],
  { importId }: WriteContext,
): Promise<number> {
  const enabled = await findAmong<{ id: number; status: number }>(trx, 'tokens', {
    column: 'id',
    values: missing.map(({ target }) => target),
    select: ['id', 'status'],
  })
  const ids = enabled.filter(({ status }) => status === ENABLED).map(({ id }) => id)
  for (const id of ids) await trx('tokens').where({ id }).update({ status: DISABLED })
  const known = new Map(missing.map((row) => [row.target, row]))
  await rememberChanges(
    trx,
    ids.map((id) => {
      const { quota = 0, used = 0, digest = '' } = known.get(id) ?? {}
      return [importId, 'tokens', id, 0, 0, JSON.stringify({ fields: { status: ENABLED }, quota, used, digest })]
    }),
  )
  await announce(trx, 'tokens', ids)
  return ids.length
}

const ENTITIES: Partial<Record<RowKind, 'user' | 'token' | 'channel'>> = {
  users: 'user',
  tokens: 'token',
  channels: 'channel',
}

async function announce(trx: Knex.Transaction, kind: RowKind, ids: readonly number[]): Promise<void> {
  const entity = ENTITIES[kind]
  if (entity) await recordChange(trx, entity, [...ids])
}
