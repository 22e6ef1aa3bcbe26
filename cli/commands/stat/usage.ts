import { type Actor, ROLE } from '../../../core/actor.ts'
import type { TimeRange } from '../../../core/logs/counts.ts'
import type { DashboardCount } from '../../../core/logs/schema.ts'
import type { CommandToolkit } from '../../toolkit.ts'

export const STAT_GROUPINGS = ['model', 'hour', 'day', 'week'] as const
export type StatGrouping = (typeof STAT_GROUPINGS)[number]

/** Usage of one model, or of one hour, day or week. */
export interface StatRow {
  /** Model name, or start of the period. */
  name: string
  count: number
  token_used: number
  quota: number
}
export type Total = Omit<StatRow, 'name'>
type Counted = Pick<DashboardCount, 'model_name' | 'created_at' | 'count' | 'token_used' | 'quota'>

const HOUR_S = 3600
/** Longest time range that a user may read per call. */
const SPAN_MAX_S = 30 * 86_400
/**
 * Maximum number of rows in a reply. The gateway omits further, older rows, so a range with this many rows is read in
 * halves.
 */
const ROWS_MAX = 50_000

/**
 * Reads the counts of `username`. Without `username`, reads the counts of all users for administrators, and the actor's
 * own counts for other users. Moves the start of the range back to a full hour.
 */
export async function readCounts(
  { logs }: Pick<CommandToolkit, 'logs'>,
  actor: Actor,
  { start, end, username }: TimeRange & { username?: string },
): Promise<DashboardCount[]> {
  const readsOtherUsers = actor.role >= ROLE.admin || username !== undefined
  const read = async (range: TimeRange): Promise<DashboardCount[]> =>
    readsOtherUsers
      ? logs.counts(actor, { ...range, ...(username !== undefined && { username }) })
      : logs.ownCounts(actor, range)

  async function readInHalves(range: TimeRange): Promise<DashboardCount[]> {
    const rows = await read(range)
    const hours = Math.floor((range.end - range.start) / HOUR_S)
    if (rows.length < ROWS_MAX || hours < 1) return rows
    const middle = range.start + Math.ceil(hours / 2) * HOUR_S
    return [
      ...(await readInHalves({ start: range.start, end: middle - 1 })),
      ...(await readInHalves({ ...range, start: middle })),
    ]
  }

  const counts: DashboardCount[] = []
  for (let from = start - (start % HOUR_S); from <= end; from += SPAN_MAX_S) {
    counts.push(...(await readInHalves({ start: from, end: Math.min(end, from + SPAN_MAX_S - 1) })))
  }
  return counts
}

/** Sums the counts. Sorts models by cost, and periods by time. */
export function addUp(counts: readonly Counted[], by: StatGrouping): { rows: StatRow[]; total: Total } {
  const rows = new Map<string, StatRow>()
  const total = { count: 0, token_used: 0, quota: 0 }
  for (const count of counts) {
    const name = by === 'model' ? count.model_name : periodOf(count.created_at, by)
    const row = rows.get(name) ?? { name, count: 0, token_used: 0, quota: 0 }
    rows.set(name, row)
    for (const sum of [row, total]) {
      sum.count += count.count
      sum.token_used += count.token_used
      sum.quota += count.quota
    }
  }
  const order = by === 'model' ? (a: StatRow, b: StatRow) => b.quota - a.quota : byName
  return { rows: [...rows.values()].sort(order), total }
}

const byName = (a: StatRow, b: StatRow) => (a.name < b.name ? -1 : 1)

/** Returns the start of the local hour, day or week that contains a time: 2026-01-31 or 2026-01-31T18:00. */
function periodOf(seconds: number, by: 'hour' | 'day' | 'week'): string {
  const time = new Date(seconds * 1000)
  const daysSinceMonday = by === 'week' ? (time.getDay() + 6) % 7 : 0
  const begin = new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysSinceMonday)
  const date = [begin.getFullYear(), twoDigits(begin.getMonth() + 1), twoDigits(begin.getDate())].join('-')
  return by === 'hour' ? `${date}T${twoDigits(time.getHours())}:00` : date
}

const twoDigits = (number: number) => String(number).padStart(2, '0')
