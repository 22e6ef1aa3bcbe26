import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { toJson } from '../db/json.ts'
import { oneOf } from '../input.ts'
import { checkLimit } from '../limits/check.ts'
import { LIMIT_MEASURES, LIMIT_PERIODS, type LimitMeasure, type LimitPeriod } from '../limits/limit.ts'
import { deleteLimits } from '../limits/remove.ts'
import { type LimitAmounts, planLimits, type RowPlan } from './column-states.ts'
import { type KnownRow, readKnownRows } from './known-rows.ts'
import type { RowKind } from './mappers/mapper.ts'
import { ENTITIES } from './references.ts'
import { type RowNote, type TableReport, tableReport } from './report.ts'
import { type ImportDb, type ImportWriteContext, rememberChanges, rememberStates } from './write-kind.ts'

/** A limit of a user or token at the source. */
export interface ImportedLimit {
  kind: LimitedKind
  /** Id of the user or token at the source. */
  row: number
  measure: LimitMeasure
  period: LimitPeriod
  /** Null if the user or token has no such limit. */
  amount: number | null
}

type LimitedKind = 'users' | 'tokens'

/**
 * Imports limits in the caller's transaction. With `dry`, only reads. For rows of an earlier import, a limit that was
 * changed in this gateway is kept and reported. Other limits get the source's value.
 */
export async function importLimits(
  { db, dry }: ImportDb,
  limits: readonly ImportedLimit[],
  { targets, write }: { targets: ReadonlyMap<RowKind, ReadonlyMap<number, number>>; write: ImportWriteContext },
): Promise<{ table: TableReport; conflicts: RowNote[] }> {
  const table = tableReport('limits', limits.filter(({ amount }) => amount !== null).length)
  const conflicts: RowNote[] = []
  for (const kind of ['users', 'tokens'] as const) {
    const known = await readKnownRows(db, write.sourceId, kind)
    const present = await readLimitAmounts(db, kind)
    const ofKind = limits.filter((limit) => limit.kind === kind)
    for (const [row, source] of amountsByRow(ofKind)) {
      const target = targets.get(kind)?.get(row)
      const before = known.get(row)
      const count = Object.values(source).filter((amount) => amount !== null).length
      if (target === undefined) table.skipped += count
      else if (!before || before.importId === write.importId) table.imported += count
      else table.known += count
      if (target === undefined) continue
      const targetAmounts = present.get(target) ?? {}
      const plan = planLimits(before ? before.states : toJson({}), source, targetAmounts)
      const isChanged = plan.write.length + plan.conflicts.length > 0
      if (before && isChanged && (await isDeleted(db, kind, target))) continue
      for (const what of plan.conflicts) conflicts.push({ table: kind, id: row, what })
      if (before && before.importId !== write.importId) table.updated += plan.write.length
      if (!dry && before) await writePlan(db, { kind, row, before, source, targetAmounts, plan }, write)
    }
  }
  return { table, conflicts }
}

/** Returns whether the row was deleted in this gateway. Limits of deleted rows are not imported. */
async function isDeleted(db: Knex, kind: LimitedKind, id: number): Promise<boolean> {
  return (await db(kind).where({ id }).whereNull('deleted_at').first('id')) === undefined
}

function amountsByRow(
  limits: readonly { row: number; measure: string; period: string; amount: number | null }[],
): Map<number, LimitAmounts> {
  const rows = new Map<number, LimitAmounts>()
  for (const { row, measure, period, amount } of limits)
    rows.set(row, { ...rows.get(row), [`${measure} ${period}`]: amount })
  return rows
}

/** Returns the limits of this gateway's users or tokens, by id. Locks the limits if `db` is a transaction. */
export async function readLimitAmounts(db: Knex, kind: LimitedKind): Promise<Map<number, LimitAmounts>> {
  const query = db('limits')
    .where({ subject: ENTITIES[kind] })
    .orderBy('id')
    .select('subject_id', 'measure', 'period', 'amount')
  const rows = await (db.isTransaction ? query.forUpdate() : query)
  return amountsByRow(
    rows.map(({ subject_id, measure, period, amount }) => {
      return { row: Number(subject_id), measure, period, amount: Number(amount) }
    }),
  )
}

/** The plan for the limits of a row that an import created. */
interface PlannedLimits {
  kind: LimitedKind
  row: number
  before: KnownRow
  source: LimitAmounts
  targetAmounts: LimitAmounts
  plan: RowPlan
}

async function writePlan(
  trx: Knex.Transaction,
  { kind, row, before, source, targetAmounts, plan }: PlannedLimits,
  write: ImportWriteContext,
): Promise<void> {
  if (JSON.stringify(plan.states) === before.states) return
  const amounts = (values: LimitAmounts) => Object.fromEntries(plan.write.map((name) => [name, values[name] ?? null]))
  await setLimits(trx, { kind, target: before.target, amounts: amounts(source) }, write)
  await rememberStates(trx, { kind }, row, plan.states, write)
  // Store no earlier amounts for rows of this import. An undo deletes these rows with their limits.
  if (before.importId === write.importId) return
  await rememberChanges(trx, [{ kind, known: before, quota: 0, used: 0, limits: amounts(targetAmounts) }], write)
}

/** Sets amounts of limits by name, in the caller's transaction. A null amount deletes the limit. */
export async function setLimits(
  trx: Knex.Transaction,
  { kind, target, amounts }: { kind: LimitedKind; target: number; amounts: LimitAmounts },
  { now, actorId }: Pick<ImportWriteContext, 'now' | 'actorId'>,
): Promise<void> {
  for (const [name, amount] of Object.entries(amounts)) {
    const [words, subject] = [name.split(' '), ENTITIES[kind]]
    const measure = oneOf('measure', words[0], LIMIT_MEASURES)
    const period = oneOf('period', words[1], LIMIT_PERIODS)
    const key = { subject, subject_id: String(target), measure, period }
    const [storedLimit]: { id: number }[] = await trx('limits').where(key).select('id')
    let id = Number(storedLimit?.id)
    if (amount === null) {
      if (storedLimit) await deleteLimits(trx, [id])
      continue
    }
    if (storedLimit) await trx('limits').where({ id }).update({ amount, set_by: actorId, updated_at: now })
    else {
      const limit = checkLimit({ ...key, amount })
      const [insertedLimit] = await trx('limits')
        .insert({ ...limit, set_by: actorId, created_at: now, updated_at: now })
        .returning('id')
      id = Number(insertedLimit?.id)
    }
    await recordChange(trx, 'limit', [id])
  }
}
