import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { checkLimit } from '../limits/check.ts'
import type { LimitMeasure, LimitPeriod } from '../limits/limit.ts'
import { readKnownRows } from './known-rows.ts'
import type { RowKind } from './mappers/mapper.ts'
import { type TableReport, tableReport } from './report.ts'
import type { WriteContext } from './write-kind.ts'

/** A limit of a row of the source. */
export interface ImportedLimit {
  kind: 'users' | 'tokens'
  /** The id at the source. */
  row: number
  measure: LimitMeasure
  period: LimitPeriod
  amount: number
}

const SUBJECTS = { users: 'user', tokens: 'token' } as const

/**
 * Sets the limits of rows that this import brought, in the caller's transaction; `dry` only counts them. Those of rows of an earlier
 * import may have been changed here since, and stay.
 */
export async function importLimits(
  db: Knex,
  limits: readonly ImportedLimit[],
  {
    targets,
    write,
    dry,
  }: { targets: ReadonlyMap<RowKind, ReadonlyMap<number, number>>; write: WriteContext; dry: boolean },
): Promise<TableReport> {
  const table = tableReport('limits', limits.length)
  const known = {
    users: await readKnownRows(db, write.sourceId, 'users'),
    tokens: await readKnownRows(db, write.sourceId, 'tokens'),
  }
  for (const { kind, row, ...limit } of limits) {
    const target = targets.get(kind)?.get(row)
    const before = known[kind].get(row)
    if (target === undefined) table.skipped += 1
    else if (before && before.importId !== write.importId) table.known += 1
    else {
      table.imported += 1
      if (!dry) await setLimit(db, checkLimit({ subject: SUBJECTS[kind], subject_id: String(target), ...limit }), write)
    }
  }
  return table
}

/** Does nothing if there is one: an interrupted import is continued. */
async function setLimit(db: Knex, limit: ReturnType<typeof checkLimit>, { now, actorId }: WriteContext): Promise<void> {
  const { subject, subject_id, measure, period } = limit
  if (await db('limits').where({ subject, subject_id, measure, period }).first('id')) return
  const [made] = await db('limits')
    .insert({ ...limit, set_by: actorId, created_at: now, updated_at: now })
    .returning('id')
  await recordChange(db as Knex.Transaction, 'limit', [Number(made?.id)])
}
