import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import type { Sign } from '../ledger/chain.ts'
import { oldestTime } from './archive/rows.ts'
import { beginRemoval, createKeepAlive, deleteRows, endRemoval, paceOn } from './removal.ts'

interface Clearing {
  actor: Actor
  /** Unix seconds. Older rows are deleted. */
  before: number
  now: () => number
  sign: Sign
  audit: Audit
}

/** Time range of the rows that one statement deletes. */
const RANGE_S = 7 * 86_400

/** Deletes rows older than `before`. Stops early if `signal` aborts. Returns the number of deleted rows. */
export async function clearRows(
  db: Database,
  { actor, before, now, sign, audit }: Clearing,
  signal?: AbortSignal,
): Promise<number> {
  const removal = await beginRemoval(db, { actorId: actor.id, before, now, sign }, (trx) =>
    audit.write(trx, actor, { action: 'log.clear', object: 'log', after: { rows_before: before } }),
  )
  const touch = createKeepAlive(db, removal)
  let cleared = 0
  // Start over to find rows that were skipped because another process had locked them.
  for (let deletedRows = 1; deletedRows > 0; ) {
    deletedRows = 0
    for (
      let since = await oldestTime(db, { from: 0, until: before });
      since !== undefined && !signal?.aborted;
      since = await oldestTime(db, { from: since + RANGE_S, until: before })
    ) {
      const until = Math.min(before, since + RANGE_S)
      // Start where the last batch ended. Otherwise each batch would scan the index entries of deleted rows again.
      let start = since
      deletedRows += await inShortBatches(async (rowsMax) => {
        if (signal?.aborted) return 0
        await touch()
        // Delete the oldest rows first, because their entries in the index of times are adjacent.
        const restSql = `ORDER BY created_at, id LIMIT ${rowsMax}`
        const deleted = await deleteRows(db, removal, { since: start, until, restSql })
        start = deleted.newest ?? start
        return deleted.count
      }, paceOn(db))
    }
    cleared += deletedRows
  }
  await endRemoval(db, removal)
  return cleared
}
