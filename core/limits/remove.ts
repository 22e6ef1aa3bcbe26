import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import type { CountedLimit } from './limit.ts'
import { PERIOD_MS } from './windows.ts'

const DAY_S = 86_400
/** How long rows are kept after the end of their window, in windows. */
const KEPT_WINDOWS = 2

/** Removes the limits of a deleted subject, in the caller's transaction. */
export async function removeLimits(
  trx: Knex.Transaction,
  subject: Pick<CountedLimit, 'subject' | 'subject_id'>,
): Promise<void> {
  const ids: number[] = await trx('limits').where(subject).pluck('id')
  if (ids.length === 0) return
  await trx('limits').whereIn('id', ids).delete()
  await trx('limit_windows').whereIn('limit_id', ids).delete()
  await recordChange(trx, 'limit', ids)
}

/** Removes the limits of many deleted users, tokens or channels, in the caller's transaction. */
export async function removeLimitsOf(
  trx: Knex.Transaction,
  subject: 'user' | 'token' | 'channel',
  ids: readonly number[],
): Promise<void> {
  const deleted = new Set(ids.map(String))
  const kinds = subject === 'channel' ? ['channel', 'channel-key'] : [subject]
  const limits: Pick<CountedLimit, 'subject' | 'subject_id'>[] = await trx('limits')
    .whereIn('subject', kinds)
    .select('subject', 'subject_id')
  for (const each of limits) {
    // A key of a channel: its id, and the key's digest.
    const [id = ''] = each.subject_id.split('/')
    if (deleted.has(id)) await removeLimits(trx, { subject: each.subject, subject_id: each.subject_id })
  }
}

/** Removes counts of ended windows: a default for addresses has a count for each address. Returns how many. */
export async function removeOldWindows(trx: Knex.Transaction, now: number): Promise<number> {
  const old = (period: string, seconds: number) =>
    trx('limit_windows')
      .whereIn('limit_id', trx('limits').where({ period }).select('id'))
      .where('updated_at', '<', now - seconds)
  let removed = await trx('limit_windows').whereNotIn('limit_id', trx('limits').select('id')).delete()
  for (const [period, ms] of Object.entries(PERIOD_MS)) {
    removed += await old(period, Math.max(DAY_S, (KEPT_WINDOWS * ms) / 1000)).delete()
  }
  removed += await old('none', DAY_S).where({ taken: '[]' }).delete()
  return removed
}
