import { type Actor, ROLE } from '../../../core/actor.ts'
import type { TimeRange } from '../../../core/logs/counts.ts'
import type { DashboardCount } from '../../../core/logs/schema.ts'
import type { CommandToolkit } from '../../toolkit.ts'

export type Grouping = 'model' | 'hour' | 'day' | 'week'

/** What was used of one model, or in one hour, day or week. */
export interface Usage {
  /** The model, or when it began. */
  name: string
  count: number
  token_used: number
  quota: number
}
export type Total = Omit<Usage, 'name'>

const HOUR_S = 3600
/** Users are told so much at once. */
const SPAN_MAX_S = 30 * 86_400
/** Of more rows the oldest are left out: then the range is asked for in halves. */
const ROWS_MAX = 50_000

/** Administrators see everybody's counts, or those of one user; others their own. The range is widened to whole hours. */
export async function readCounts(
  { logs }: Pick<CommandToolkit, 'logs'>,
  actor: Actor,
  { start, end, username }: TimeRange & { username?: string },
): Promise<DashboardCount[]> {
  const all = actor.role >= ROLE.admin || username !== undefined
  const read = async (range: TimeRange): Promise<DashboardCount[]> =>
    all ? logs.counts(actor, { ...range, ...(username !== undefined && { username }) }) : logs.ownCounts(actor, range)

  async function halved(range: TimeRange): Promise<DashboardCount[]> {
    const rows = await read(range)
    const hours = Math.floor((range.end - range.start) / HOUR_S)
    if (rows.length < ROWS_MAX || hours < 1) return rows
    const middle = range.start + Math.ceil(hours / 2) * HOUR_S
    return [...(await halved({ start: range.start, end: middle - 1 })), ...(await halved({ ...range, start: middle }))]
  }

  const counts: DashboardCount[] = []
  for (let from = start - (start % HOUR_S); from <= end; from += SPAN_MAX_S) {
    counts.push(...(await halved({ start: from, end: Math.min(end, from + SPAN_MAX_S - 1) })))
  }
  return counts
}

/** Models by what they cost, times in their order. */
export function addUp(counts: readonly DashboardCount[], by: Grouping): { rows: Usage[]; total: Total } {
  const rows = new Map<string, Usage>()
  const total = { count: 0, token_used: 0, quota: 0 }
  for (const one of counts) {
    const name = by === 'model' ? one.model_name : periodOf(one.created_at, by)
    const row = rows.get(name) ?? { name, count: 0, token_used: 0, quota: 0 }
    rows.set(name, row)
    for (const sum of [row, total]) {
      sum.count += one.count
      sum.token_used += one.token_used
      sum.quota += one.quota
    }
  }
  const order = by === 'model' ? (a: Usage, b: Usage) => b.quota - a.quota : byName
  return { rows: [...rows.values()].sort(order), total }
}

const byName = (a: Usage, b: Usage) => (a.name < b.name ? -1 : 1)

/** When the hour, day or week began in which a time is, by the clock of this machine: 2026-01-31 or 2026-01-31T18:00. */
function periodOf(seconds: number, by: 'hour' | 'day' | 'week'): string {
  const time = new Date(seconds * 1000)
  const daysSinceMonday = by === 'week' ? (time.getDay() + 6) % 7 : 0
  const begin = new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysSinceMonday)
  const date = [begin.getFullYear(), two(begin.getMonth() + 1), two(begin.getDate())].join('-')
  return by === 'hour' ? `${date}T${two(time.getHours())}:00` : date
}

const two = (number: number) => String(number).padStart(2, '0')
