import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { wherePattern } from '../db/like.ts'
import { applyFilter, type LogFilter } from './filter.ts'
import { LOG_TYPE } from './log.ts'
import { TEST_NAME } from './remarks.ts'
import { CLEARED_KEY } from './totals.ts'
import { HOUR_S, hourOf } from './usage/cells.ts'

/** Condition for rows of channel tests, which are not charged. */
const TESTS = { token_name: TEST_NAME, request_id: null }

/** Excludes rows of channel tests. */
export const withoutTests = (rows: Knex.QueryBuilder): void =>
  void rows.whereNot((test: Knex.QueryBuilder) => void test.where(TESTS))

/** Maximum number of time ranges to query one by one. For more ranges, one query of all rows is faster. */
const RANGES_MAX = 20

/**
 * Returns the total quota of the relays that match a filter. If the filter has only user, model and times, reads whole
 * hours from the dashboard's counts. There are fewer counts than log rows, and counts remain after rows are removed.
 * With other filters (member, token name, channel, group, request), the sum includes only existing rows.
 */
export async function quotaSpent(db: Database, filter: LogFilter): Promise<number> {
  const spent = { ...filter, type: LOG_TYPE.consumption }
  if (!canUseCounts(filter)) return sumOf(db, spent)
  const removedBefore = await removedUntil(db)
  const { start_timestamp: start = 0, end_timestamp: end } = filter
  const earlier = start < removedBefore ? await sumOfHours(db, spent, removedBefore) : 0
  if (end && end < removedBefore) return earlier
  return earlier + (await sumOfWholeHours(db, { ...spent, start_timestamp: Math.max(start, removedBefore) }))
}

/** Sums the dashboard's counts of whole hours, and the log rows of incomplete and uncounted hours. */
async function sumOfWholeHours(db: Database, filter: LogFilter): Promise<number> {
  const { start_timestamp: start = 0, end_timestamp: end } = filter
  const first = hourOf(start + HOUR_S - 1)
  const until = end ? hourOf(end + 1) : Number.POSITIVE_INFINITY
  if (first >= until) return sumOf(db, filter)
  // Omit conditions that are always true, because checking a condition for each row takes as long as the sum.
  const within = (rows: Knex.QueryBuilder) => {
    if (first > 0) rows.where('created_at', '>=', first)
    if (until < Number.POSITIVE_INFINITY) rows.where('created_at', '<', until)
  }
  const uncounted: (number | string)[] = await db
    .reader('partial_hours')
    .modify(within)
    .orderBy('created_at')
    .pluck('created_at')
  const uncountedRanges = rangesOf(uncounted.map(Number))
  const ranges = [...uncountedRanges]
  if (start < first) ranges.push({ start_timestamp: start, end_timestamp: first - 1 })
  if (end && end >= until) ranges.push({ start_timestamp: until, end_timestamp: end })
  if (ranges.length > RANGES_MAX) return sumOf(db, filter)
  const counts = countsOf(db, filter).modify(within)
  for (const { start_timestamp, end_timestamp } of uncountedRanges) {
    counts.whereNotBetween('created_at', [start_timestamp, end_timestamp])
  }
  const [countsSum] = await counts.sum({ quota: 'quota' })
  const rows = await Promise.all(ranges.map((range) => sumOf(db, { ...filter, ...range })))
  return rows.reduce((sum, quota) => sum + quota, Number(countsSum?.quota ?? 0))
}

type TimeRange = { start_timestamp: number; end_timestamp: number }

/** Returns the time ranges of hours. Consecutive hours become one range. */
function rangesOf(hours: readonly number[]): TimeRange[] {
  const ranges: TimeRange[] = []
  for (const hour of hours) {
    const last = ranges.at(-1)
    if (last?.end_timestamp === hour - 1) last.end_timestamp = hour + HOUR_S - 1
    else ranges.push({ start_timestamp: hour, end_timestamp: hour + HOUR_S - 1 })
  }
  return ranges
}

/** Returns whether the counts by user, model and hour support the filter. */
function canUseCounts({ memberId, token_name, channel, group, request_id }: LogFilter): boolean {
  return !(memberId || token_name || channel || group || request_id)
}

/** Returns the end of the last hour with removed rows, in Unix seconds. Returns 0 if no rows were removed. */
async function removedUntil({ reader }: Database): Promise<number> {
  const row = await reader('meta').where({ key: CLEARED_KEY }).first('value')
  const before = Number(row?.value ?? 0)
  return hourOf(before + HOUR_S - 1)
}

async function sumOf({ reader }: Database, filter: LogFilter): Promise<number> {
  const [spent] = await reader('logs').modify(applyFilter, filter).sum({ quota: 'quota' })
  // Sum all rows, then subtract the tests, which an index finds. To exclude tests, the database would read all rows.
  const [tested] = await reader('logs').modify(applyFilter, filter).where(TESTS).sum({ quota: 'quota' })
  return Number(spent?.quota ?? 0) - Number(tested?.quota ?? 0)
}

/**
 * Sums the hours before a time. In each hour, rows may have been removed or not counted. So takes the larger of the sum
 * of rows and the sum of counts. For incomplete hours, takes only the rows.
 */
async function sumOfHours({ reader }: Database, filter: LogFilter, until: number): Promise<number> {
  const { start_timestamp: start = 0, end_timestamp: end } = filter
  const last = end ? Math.min(end, until - 1) : until - 1
  const rows: HourSum[] = await reader('logs')
    .modify(applyFilter, { ...filter, end_timestamp: last })
    .modify(withoutTests)
    .groupBy('hour')
    .select({ hour: reader.raw('created_at - created_at % 3600') })
    .sum({ quota: 'quota' })
  const counts: HourSum[] = await countsOf({ reader }, filter)
    .where('created_at', '>=', hourOf(start + HOUR_S - 1))
    .where('created_at', '<=', last - (HOUR_S - 1))
    .groupBy('created_at')
    .select({ hour: 'created_at' })
    .sum({ quota: 'quota' })
  const sums = new Map(counts.map(({ hour, quota }) => [Number(hour), Number(quota)]))
  for (const { hour, quota } of rows) sums.set(Number(hour), Math.max(sums.get(Number(hour)) ?? 0, Number(quota)))
  return [...sums.values()].reduce((sum, quota) => sum + quota, 0)
}

interface HourSum {
  hour: number | string
  quota: number | string
}

/** Returns a query for the dashboard's counts of the filter's user and model, in all hours. */
function countsOf({ reader }: Pick<Database, 'reader'>, filter: LogFilter): Knex.QueryBuilder {
  const { userId, username, model_name: model } = filter
  const counts = reader(userId || username ? 'quota_data' : 'model_hours')
  if (userId) counts.where({ user_id: userId })
  if (username) counts.where({ username })
  if (model && /[%_]/.test(model)) wherePattern(counts, 'model_name', model)
  else if (model) counts.where({ model_name: model })
  return counts
}
