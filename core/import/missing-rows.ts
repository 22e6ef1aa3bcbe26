import type { Knex } from 'knex'
import { findAmong } from '../db/bulk-insert.ts'
import { planGone } from './column-states.ts'
import type { KnownRow } from './known-rows.ts'
import type { RowKind } from './mappers/mapper.ts'
import type { RowNote } from './report.ts'
import { type ImportWriteContext, recordCachedChanges, rememberChanges, rememberStates } from './write-kind.ts'

const ENABLED = 1
const DISABLED = 2

/** Kinds whose missing rows matter, because they serve requests. Tokens are disabled, other rows only reported. */
const WATCHED: readonly RowKind[] = ['users', 'channels', 'tokens']
/** Kinds whose table has the column `deleted_at`. */
const MARKED: readonly RowKind[] = ['users', 'tokens']

/** Plan of a later import for rows that were deleted at the source since the last import. */
interface MissingPlan {
  kind: RowKind
  /** `isDisabled`: whether to disable the row. */
  gone: { id: number; known: KnownRow; status: number; isDisabled: boolean }[]
  conflicts: RowNote[]
}

/**
 * Plans what to do about rows that were deleted at the source. Ignores rows that an earlier import has handled. A token
 * is disabled if it is enabled and this gateway has not changed its status. A user or channel is only reported. Locks
 * the rows if `db` is a transaction.
 */
export async function planMissing(
  db: Knex,
  kind: RowKind,
  missing: ReadonlyMap<number, KnownRow>,
): Promise<MissingPlan> {
  const plan: MissingPlan = { kind, gone: [], conflicts: [] }
  if (!WATCHED.includes(kind) || missing.size === 0) return plan
  const rows = await findAmong<{ id: number; status: number; deleted_at?: unknown }>(db, kind, {
    column: 'id',
    values: [...missing.values()].map(({ target }) => target),
    select: ['id', 'status', ...(MARKED.includes(kind) ? ['deleted_at'] : [])],
    isLocked: db.isTransaction === true,
  })
  const present = new Map(rows.map((row) => [row.id, row]))
  for (const [id, known] of missing) {
    const row = present.get(known.target)
    if (row === undefined) continue
    const { status } = row
    const { isKnown, isOurs } = planGone(known.states, status)
    if (isKnown) continue
    const isDisabled = kind === 'tokens' && status === ENABLED && isOurs
    plan.gone.push({ id, known, status, isDisabled })
    if (status !== ENABLED || isDisabled || (row.deleted_at ?? null) !== null) continue
    plan.conflicts.push({ table: kind, id, what: keptText(kind) })
  }
  return plan
}

const keptText = (kind: RowKind): string =>
  kind === 'tokens'
    ? 'it was deleted at the source, but enabled here: it is kept'
    : 'it was deleted at the source: it stays enabled here'

/** Disables rows of a plan, and records that the rows are missing at the source. */
export async function disableMissing(
  trx: Knex.Transaction,
  { kind, gone }: MissingPlan,
  context: ImportWriteContext,
): Promise<void> {
  if (gone.length === 0) return
  for (const { id, known, status, isDisabled } of gone) {
    const { after, kept } = planGone(known.states, status)
    if (isDisabled) await trx(kind).where({ id: known.target }).update({ status: DISABLED })
    await rememberStates(trx, { kind }, id, isDisabled ? after(DISABLED) : kept, context)
  }
  const changes = gone.map(({ known, isDisabled }) => {
    return { kind, known, quota: 0, used: 0, fields: isDisabled ? { status: ENABLED } : undefined }
  })
  await rememberChanges(trx, changes, context)
  const disabledIds = gone.filter(({ isDisabled }) => isDisabled).map(({ known }) => known.target)
  await recordCachedChanges(trx, kind, disabledIds)
}
