import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { wherePattern } from '../db/like.ts'
import { applyFilter, type LogFilter } from './filter.ts'
import { LOG_TYPE } from './log.ts'
import { TEST_NAME } from './remarks.ts'
import { CLEARED_KEY } from './totals.ts'
import { HOUR_S, hourOf } from './usage/cells.ts'

/** Rows of channel tests, which are not charged. */
const TESTS = { token_name: TEST_NAME, request_id: null }

/** Excludes rows of channel tests. */
export const withoutTests = (rows: Knex.QueryBuilder): void =>
  void rows.whereNot((test: Knex.QueryBuilder) => void test.where(TESTS))

/**
 * Returns the total quota of a filter's relays. For hours with removed rows it uses the dashboard's counts, if the filter has
 * only user and model. Sums of a member, a key, a channel, a group or a request include only existing rows.
 */
export async function quotaSpent(db: Database, filter: LogFilter): Promise<number> {
  const spent = { ...filter, type: LOG_TYPE.consumption }
  const removedBefore = isCounted(filter) ? await removedUntil(db) : 0
  const { start_timestamp: start = 0, end_timestamp: end } = filter
  if (start >= removedBefore) return sumOf(db, spent)
  const rest = end && end < removedBefore ? 0 : await sumOf(db, { ...spent, start_timestamp: removedBefore })
  return rest + (await sumOfHours(db, spent, removedBefore))
}

/** Whether the counts by user, model and hour support the filter. */
function isCounted({ memberId, token_name, channel, group, request_id }: LogFilter): boolean {
  return !(memberId || token_name || channel || group || request_id)
}

/** Returns the end of the last hour with removed rows, unix seconds; 0: no rows were removed. */
async function removedUntil({ reader }: Database): Promise<number> {
  const row = await reader('meta').where({ key: CLEARED_KEY }).first('value')
  const before = Number(row?.value ?? 0)
  return hourOf(before + HOUR_S - 1)
}

async function sumOf({ reader }: Database, filter: LogFilter): Promise<number> {
  const [spent] = await reader('logs').modify(applyFilter, filter).sum({ quota: 'quota' })
  // Subtracted, because an index finds tests, while excluding them would read all other rows.
  const [tested] = await reader('logs').modify(applyFilter, filter).where(TESTS).sum({ quota: 'quota' })
  return Number(spent?.quota ?? 0) - Number(tested?.quota ?? 0)
}

/**
 * Sums the hours before a time: for each hour its rows or its counts, whichever are more, since rows may be removed or were never
 * counted. For a partial hour, only rows are used.
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
  const counts: HourSum[] = await reader(filter.userId || filter.username ? 'quota_data' : 'model_hours')
    .modify(ofUserAndModel, filter)
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

function ofUserAndModel(counts: Knex.QueryBuilder, { userId, username, model_name: model }: LogFilter): void {
  if (userId) counts.where({ user_id: userId })
  if (username) counts.where({ username })
  if (!model) return
  if (/[%_]/.test(model)) wherePattern(counts, 'model_name', model)
  else counts.where({ model_name: model })
}
