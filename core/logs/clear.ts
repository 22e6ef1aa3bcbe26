import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import type { Sign } from '../ledger/chain.ts'
import { beginRemoval, deleteRows, endRemoval, paceOn, toucher } from './removal.ts'

export interface Clearing {
  actor: Actor
  /** Unix seconds: older rows are deleted. */
  before: number
  now: () => number
  sign: Sign
  audit: Audit
}

/** Oldest rows first: their entries in the index of times are adjacent. */
const OLDEST = 'FROM logs WHERE created_at >= ? AND created_at < ? ORDER BY created_at, id LIMIT ?'

/** Deletes rows older than `before` while relays continue. Stops early if `signal` aborts. Returns how many. */
export async function clearRows(
  db: Database,
  { actor, before, now, sign, audit }: Clearing,
  signal?: AbortSignal,
): Promise<number> {
  const run = await beginRemoval(db, { actorId: actor.id, before, now, sign }, (trx) =>
    audit.write(trx, actor, { action: 'log.clear', object: 'log', after: { rows_before: before } }),
  )
  const touch = toucher(db, run)
  let cleared = 0
  // Starts over to find rows that another run had locked and then left.
  for (let found = 1; found > 0; ) {
    // Start where the last batch ended: PostgreSQL would otherwise scan all deleted entries again with each batch.
    let since = 0
    found = await inShortBatches(async (rowsMax) => {
      if (signal?.aborted) return 0
      await touch()
      const gone = await deleteRows(db, run, { from: OLDEST, values: [since, before, rowsMax] })
      since = gone.newest ?? since
      return gone.count
    }, paceOn(db))
    cleared += found
  }
  await endRemoval(db, run)
  return cleared
}
