import type { LogQuery } from '../../api/logs.ts'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'

/** Filters in the URL; times are unix seconds. If `from` or `to` is missing or invalid, shows the last three days. */
export const NO_LOG_FILTERS = {
  type: '',
  token_name: '',
  model_name: '',
  group: '',
  request_id: '',
  username: '',
  channel: '',
  from: '',
  to: '',
}
export type LogFilters = typeof NO_LOG_FILTERS

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const DEFAULT_DAYS = 3

/** Converts the filters to a server query. The default range ends an hour after `now`, in unix milliseconds. */
export function toLogQuery(filters: LogFilters, now: number): LogQuery {
  const nowS = Math.floor(now / 1000)
  const range = selectedRange(filters)
  return {
    type: parseWholeNumber(filters.type) ?? 0,
    token_name: filters.token_name,
    model_name: filters.model_name,
    group: filters.group,
    request_id: filters.request_id,
    username: filters.username,
    channel: parseWholeNumber(filters.channel) ?? 0,
    start_timestamp: range?.from ?? nowS - DEFAULT_DAYS * DAY_S,
    end_timestamp: range?.to ?? nowS + HOUR_S,
  }
}

/** Returns the range; undefined if incomplete or reversed, because the picker cannot show such a range. */
export function selectedRange({ from, to }: Pick<LogFilters, 'from' | 'to'>): { from: number; to: number } | undefined {
  const [start, end] = [parseWholeNumber(from), parseWholeNumber(to)]
  return start !== undefined && end !== undefined && start <= end ? { from: start, to: end } : undefined
}

/** The ranges that have a button each. Each function returns the start of a range in unix seconds. */
export const LOG_RANGE_STARTS = {
  today: (now: Date) => seconds(new Date(now.getFullYear(), now.getMonth(), now.getDate())),
  day: (now: Date) => seconds(now) - DAY_S,
  threeDays: (now: Date) => seconds(now) - DEFAULT_DAYS * DAY_S,
  week: (now: Date) => seconds(now) - 7 * DAY_S,
  month: (now: Date) => seconds(now) - 30 * DAY_S,
} as const

/** Returns a range in unix seconds. Every range ends an hour from now. */
export function logRangeOf(name: keyof typeof LOG_RANGE_STARTS, now: Date): { from: number; to: number } {
  return { from: LOG_RANGE_STARTS[name](now), to: seconds(now) + HOUR_S }
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
