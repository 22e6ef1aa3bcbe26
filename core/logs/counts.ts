import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { DashboardCount } from './schema.ts'

export interface TimeRange {
  /** Unix seconds, inclusive. */
  start: number
  end: number
}

/** Reads consumption by model and hour, oldest first. Each call returns at most the newest 50 000 rows. */
export type Counts = ReturnType<typeof createCounts>

type ModelCount = Omit<DashboardCount, 'id' | 'user_id' | 'username'>

const RANGE_MAX_S = 30 * 24 * 3600
const ROWS_MAX = 50_000
const COLUMNS = ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota'] as const

export function createCounts({ db }: { db: Database }) {
  const inRange = (table: 'quota_data' | 'model_hours', { start, end }: TimeRange) =>
    db.reader(table).whereBetween('created_at', [start, end]).orderBy('created_at', 'desc').limit(ROWS_MAX)

  /**
   * Returns the counts of a username. Also filters by the id of the user who has this name now, because the index
   * begins with the user id. If no user has this name, searches all rows.
   */
  async function countsOfName(username: string, range: TimeRange): Promise<DashboardCount[]> {
    const user = await db.reader('users').where({ username }).first('id')
    const rows = inRange('quota_data', range).where({ username, ...(user && { user_id: user.id }) })
    return (await rows.select<DashboardCount[]>(COLUMNS)).reverse()
  }

  return {
    /** Returns the sums of all users, or the counts of one username. Administrators only. */
    async counts(
      actor: Actor,
      { username = '', ...range }: TimeRange & { username?: string },
    ): Promise<DashboardCount[]> {
      requireRole(actor, ROLE.admin)
      if (username) return countsOfName(username, range)
      const sums = await inRange('model_hours', range)
        .orderBy('model_name', 'desc')
        .select<ModelCount[]>('model_name', 'created_at', 'count', 'quota', 'token_used')
      return sums.map((sum) => ({ ...sum, id: 0, user_id: 0, username: '' })).reverse()
    },

    /** Returns the actor's own counts. Throws RANGE_TOO_LONG for more than 30 days. */
    async ownCounts(actor: Actor, range: TimeRange): Promise<DashboardCount[]> {
      if (range.end - range.start > RANGE_MAX_S) throw new GatewayError('RANGE_TOO_LONG')
      const ofActor = inRange('quota_data', range).where({ user_id: actor.id })
      return (await ofActor.select<DashboardCount[]>(COLUMNS)).reverse()
    },
  }
}
