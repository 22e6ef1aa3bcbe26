import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { DashboardCount } from './schema.ts'

export interface TimeRange {
  /** Unix seconds, inclusive. */
  start: number
  end: number
}

/** The dashboard's counts: consumption by model and hour, oldest first; of a long range the newest 50 000 rows. */
export interface Counts {
  /** Everybody's, added up; or the rows of one username. For administrators. */
  counts(actor: Actor, range: TimeRange & { username?: string }): Promise<DashboardCount[]>
  /** The actor's own. Throws RANGE_TOO_LONG above 30 days. */
  ownCounts(actor: Actor, range: TimeRange): Promise<DashboardCount[]>
}

const RANGE_MAX_S = 30 * 24 * 3600
const ROWS_MAX = 50_000
const COLUMNS = ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota'] as const

export function createCounts({ db }: { db: Database }): Counts {
  const inRange = ({ start, end }: TimeRange) =>
    db.reader('quota_data').whereBetween('created_at', [start, end]).orderBy('created_at', 'desc').limit(ROWS_MAX)

  return {
    async counts(actor, { username = '', ...range }) {
      requireRole(actor, ROLE.admin)
      if (username) return (await inRange(range).where({ username }).select<DashboardCount[]>(COLUMNS)).reverse()
      const sums = await inRange(range)
        .groupBy('model_name', 'created_at')
        .select('model_name', 'created_at')
        .sum({ count: 'count', quota: 'quota', token_used: 'token_used' })
      return (sums as unknown as DashboardCount[]).map((sum) => ({ ...sum, id: 0, user_id: 0, username: '' })).reverse()
    },

    async ownCounts(actor, range) {
      if (range.end - range.start > RANGE_MAX_S) throw new GatewayError('RANGE_TOO_LONG')
      const own = inRange(range).where({ user_id: actor.id })
      return (await own.select<DashboardCount[]>(COLUMNS)).reverse()
    },
  }
}
