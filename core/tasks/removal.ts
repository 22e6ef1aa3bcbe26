import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { inShortBatches, ON_SQLITE } from '../db/short-batches.ts'
import { FINISHED, type TaskTableName } from './lifecycle.ts'

/** Units of time per second in each table. */
const UNITS_PER_SECOND: Readonly<Record<TaskTableName, number>> = { midjourneys: 1000, tasks: 1 }

/**
 * Removes drawings and tasks that finished before a time (Unix seconds), in short transactions. Stops early if `signal`
 * aborts. Returns the number of removed rows.
 *
 * Failed tasks stay while their refund is missing. Refunded tasks are recorded in `removed_tasks`, so that `ledger
 * verify` accepts their refunds.
 */
export async function removeFinishedTasks(db: Database, before: number, signal?: AbortSignal): Promise<number> {
  let removed = 0
  for (const table of ['midjourneys', 'tasks'] as const) {
    // Some upstreams do not send the time of the end. The time of submission then counts.
    for (const finishedBefore of [byFinish, bySubmission]) {
      removed += await inShortBatches(
        (rowsMax) =>
          signal?.aborted
            ? Promise.resolve(0)
            : db.transaction(async (trx) => {
                const old = trx(table)
                  .where({ progress: FINISHED })
                  .whereNot((rows) => whereRefundMissing(rows, table))
                  .modify(finishedBefore, before * UNITS_PER_SECOND[table])
                const ids: number[] = await old.limit(rowsMax).pluck('id')
                await removeTasks(trx, table, ids)
                return ids.length
              }),
        db.kind === 'sqlite' ? ON_SQLITE : undefined,
      )
    }
  }
  return removed
}

/** Selects failed tasks that were charged, but not refunded. `ledger verify` reports these tasks. */
function whereRefundMissing(rows: Knex.QueryBuilder, table: TaskTableName): void {
  rows
    .where({ status: 'FAILURE' })
    .whereNot({ request_id: '' })
    .where('quota', '>', 0)
    .whereNotExists((refunds) => {
      refunds
        .from('ledger_entries')
        .where({ kind: 'refund' })
        .whereRaw(`reference = '${table}:' || ${table}.id`)
        .select('ledger_entries.id')
    })
}

/** Selects tasks by the time of their end. It may be wrong, so their submission must also be before `before`. */
const byFinish = (rows: Knex.QueryBuilder, before: number): void =>
  void rows
    .where('finish_time', '>', 0)
    .where('finish_time', '<', before)
    .where('submit_time', '<', before)
    .orderBy('finish_time')

const bySubmission = (rows: Knex.QueryBuilder, before: number): void =>
  void rows.where('finish_time', '<=', 0).where('submit_time', '<', before).orderBy('submit_time')

async function removeTasks(trx: Knex.Transaction, table: TaskTableName, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const references = ids.map((id) => `${table}:${id}`)
  const refunded = await trx('ledger_entries')
    .where({ kind: 'refund' })
    .whereIn('reference', references)
    .pluck('reference')
  if (refunded.length > 0) {
    const rows = refunded.map((reference) => ({ reference: String(reference) }))
    await trx('removed_tasks').insert(rows).onConflict('reference').ignore()
  }
  await trx(table)
    .whereIn('id', [...ids])
    .where({ progress: FINISHED })
    .delete()
}
