import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { toJson } from '../db/json.ts'
import type { CountedLimit } from './limit.ts'
import { PERIOD_MS } from './windows.ts'

const DAY_S = 86_400
/** Counts are kept for this many lengths of their window after their last update, and for at least a day. */
const RETENTION_WINDOW_LENGTHS = 2

/** Removes the limits of a deleted subject, in the caller's transaction. */
export async function removeLimitsOfSubject(
  trx: Knex.Transaction,
  subject: Pick<CountedLimit, 'subject' | 'subject_id'>,
): Promise<void> {
  const ids: number[] = await trx('limits').where(subject).pluck('id')
  if (ids.length > 0) await deleteLimits(trx, ids)
}

/** Deletes limits with their counts, in the caller's transaction. */
export async function deleteLimits(trx: Knex.Transaction, ids: number[]): Promise<void> {
  await trx('limits').whereIn('id', ids).delete()
  await trx('limit_windows').whereIn('limit_id', ids).delete()
  await trx('limit_shares').whereIn('limit_id', ids).delete()
  await recordChange(trx, 'limit', ids)
}

/** Removes the limits of many deleted users, tokens or channels, in the caller's transaction. */
export async function removeLimitsOfSubjects(
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
    // The id of a channel's key is `<channel id>/<key digest>`.
    const [id = ''] = each.subject_id.split('/')
    if (deleted.has(id)) await removeLimitsOfSubject(trx, { subject: each.subject, subject_id: each.subject_id })
  }
}

/**
 * Removes counts of ended windows and of deleted limits. Without this, counts would accumulate, because a default for
 * addresses has one count per address. Returns the number of removed counts. `now` is in Unix seconds.
 */
export async function removeOldWindows(trx: Knex.Transaction, now: number): Promise<number> {
  const windowsOlderThan = (period: string, seconds: number) =>
    trx('limit_windows')
      .whereIn('limit_id', trx('limits').where({ period }).select('id'))
      .where('updated_at', '<', now - seconds)
  let removed = await trx('limit_windows').whereNotIn('limit_id', trx('limits').select('id')).delete()
  for (const [period, ms] of Object.entries(PERIOD_MS)) {
    removed += await windowsOlderThan(period, Math.max(DAY_S, (RETENTION_WINDOW_LENGTHS * ms) / 1000)).delete()
  }
  removed += await windowsOlderThan('none', DAY_S)
    .where({ taken: toJson([]) })
    .delete()
  return removed
}
