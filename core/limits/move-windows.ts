import type { Knex } from 'knex'
import { fromJson, type JsonText, toJson } from '../db/json.ts'
import type { CountedLimit } from './limit.ts'
import { type PartAmounts, partAt, partsInWindow, sumOf } from './windows.ts'

const ROWS_PER_INSERT = 100

type WindowFields = Pick<CountedLimit, 'period' | 'time_zone'>

/**
 * Moves the counts of a limit to the current window of its new time zone, in the caller's transaction. Otherwise an
 * edit of the time zone would allow the whole amount again.
 */
export async function moveWindows(
  trx: Knex.Transaction,
  { id, from, to, nowMs }: { id: number; from: WindowFields; to: WindowFields; nowMs: number },
): Promise<void> {
  const rows: { subject_id: string; taken: JsonText<PartAmounts>; notified_at: number; updated_at: number }[] =
    await trx('limit_windows')
      .where({ limit_id: id })
      .orderBy('subject_id')
      .forUpdate()
      .select('subject_id', 'taken', 'notified_at', 'updated_at')
  await trx('limit_windows').where({ limit_id: id }).delete()
  const before = partAt(from, nowMs)
  // For up to a second, other processes still count in the old window and drop parts that are older than this window.
  const start = Math.max(partAt(to, nowMs).start, before.oldestStart)
  const moved = rows.flatMap(({ taken, ...row }) => {
    const used = sumOf(partsInWindow(fromJson(taken), before))
    return used === 0 ? [] : [{ ...row, limit_id: id, taken: toJson<PartAmounts>([[start, used]]) }]
  })
  await trx.batchInsert('limit_windows', moved, ROWS_PER_INSERT)
}
