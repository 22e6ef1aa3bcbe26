import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import { ROWS_MAX } from './rows.ts'

/** Deletes responses and the index of their items. */
export async function removeResponses(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await trx('stored_response_items').whereIn('response_id', ids).delete()
  await trx('stored_responses').whereIn('id', ids).delete()
}

/**
 * Deletes expired responses. Also deletes the oldest responses of each user who stores more than `bytesMax`. Returns
 * the number of deleted responses. `now` is in Unix seconds.
 */
export async function trimResponses(
  db: Database,
  { now, bytesMax }: { now: number; bytesMax: number },
): Promise<number> {
  const expired = await inShortBatches((rowsMax) =>
    db.transaction(async (trx) => {
      const count = Math.min(rowsMax, ROWS_MAX)
      const ids: number[] = await trx('stored_responses').where('expires_at', '<=', now).limit(count).pluck('id')
      await removeResponses(trx, ids)
      // `inShortBatches` stops when the result is less than `rowsMax`.
      return ids.length === count ? rowsMax : ids.length
    }),
  )
  const oversized: { user_id: number; total: number }[] = await db
    .reader('stored_responses')
    .groupBy('user_id')
    .having(db.reader.raw('sum(bytes) > ?', [bytesMax]))
    .select('user_id', db.reader.raw('sum(bytes) as total'))
  let removed = 0
  for (const { user_id, total } of oversized)
    removed += await trimUser(db, { userId: user_id, excess: Number(total) - bytesMax })
  return expired + removed
}

async function trimUser(db: Database, { userId, excess }: { userId: number; excess: number }): Promise<number> {
  let remaining = excess
  let removed = 0
  while (remaining > 0) {
    const oldest: { id: number; bytes: number }[] = await db
      .reader('stored_responses')
      .where({ user_id: userId })
      .orderBy('id')
      .limit(ROWS_MAX)
      .select('id', 'bytes')
    const ids: number[] = []
    for (const { id, bytes } of oldest) {
      if (remaining <= 0) break
      ids.push(id)
      remaining -= Number(bytes)
    }
    if (ids.length === 0) break
    await db.transaction((trx) => removeResponses(trx, ids))
    removed += ids.length
  }
  return removed
}
