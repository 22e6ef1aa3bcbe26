import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { LOG_TYPE } from './log.ts'

const ROWS_PER_PART = 10_000

/** Deletes rows older than `before` (unix seconds), in short transactions, one after the other. Answers how many. */
export async function clearRows(db: Database, clearing: Clearing): Promise<number> {
  let cleared = 0
  for (;;) {
    const count = await db.transaction((trx) => clearPart(trx, clearing))
    cleared += count
    if (count < ROWS_PER_PART) return cleared
  }
}

interface Clearing {
  actor: Actor
  before: number
  now: number
}

/** The rows go, and each user's sum of charges comes back as one entry that carries it on. */
async function clearPart(trx: Knex.Transaction, { actor, before, now }: Clearing): Promise<number> {
  // Locked one by one: what is summed is what is deleted, whoever adds rows or clears at the same time.
  const ids: number[] = await trx('logs')
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(ROWS_PER_PART)
    .forUpdate()
    .pluck('id')
  const doomed = () => trx('logs').whereIn('id', ids)
  const sums = (await doomed()
    .where({ type: LOG_TYPE.consumption })
    .whereNotNull('request_id')
    .groupBy('user_id')
    .select('user_id')
    .sum({ quota: 'quota' })) as unknown as { user_id: number; quota: number }[]
  for (const { user_id, quota } of sums) {
    const user = await trx('users').where({ id: user_id }).first('quota')
    await trx('ledger_entries').insert({
      user_id,
      kind: 'carry',
      quota: -quota,
      balance_after: user?.quota ?? 0,
      actor_id: actor.id,
      note: `log rows before ${before}`,
      created_at: now,
    })
  }
  return doomed().delete()
}
