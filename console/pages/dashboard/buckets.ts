import type { TimestampRange } from '../../api/logs.ts'
import { localTime } from '../../components/times.ts'

export const GRANULARITIES = ['hour', 'day', 'week'] as const
export type Granularity = (typeof GRANULARITIES)[number]

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Maximum range in seconds with one bar per hour. More bars would be unreadable. */
const HOURLY_MAX_S = 31 * DAY_S + HOUR_S

export function isGranularity(value: unknown): value is Granularity {
  return GRANULARITIES.some((granularity) => granularity === value)
}

export const isHourlyTooLong = ({ start_timestamp, end_timestamp }: TimestampRange): boolean =>
  end_timestamp - start_timestamp > HOURLY_MAX_S

/**
 * Returns the start of the hour, day or week that contains the time, in the user's time zone. Times are unix seconds.
 * Weeks begin on Monday.
 */
export function bucketStart(seconds: number, granularity: Granularity): number {
  const date = new Date(seconds * 1000)
  if (granularity === 'hour') {
    // Use the offset from UTC, not the local hour. When clocks are set back, two hours have the same local hour.
    const offset = date.getTimezoneOffset() * 60
    return Math.floor((seconds - offset) / HOUR_S) * HOUR_S + offset
  }
  const daysBack = granularity === 'week' ? (date.getDay() + 6) % 7 : 0
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime() / 1000
}

/** Returns the starts of all hours, days or weeks of a range, with or without usage. */
export function bucketStarts({ start_timestamp, end_timestamp }: TimestampRange, granularity: Granularity): number[] {
  const starts: number[] = []
  for (let start = bucketStart(start_timestamp, granularity); start <= end_timestamp; ) {
    starts.push(start)
    start = nextStart(start, granularity)
  }
  return starts
}

/** Returns the last second of the hour, day or week that begins at `start`. */
export const bucketEnd = (start: number, granularity: Granularity): number => nextStart(start, granularity) - 1

function nextStart(start: number, granularity: Granularity): number {
  if (granularity === 'hour') return start + HOUR_S
  const date = new Date(start * 1000)
  const days = granularity === 'week' ? 7 : 1
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000
}

/** Returns the label of a bucket: `01-31 13:00`, `2026-01-31`, or `01-26 ~ 02-01`. */
export function bucketLabel(start: number, granularity: Granularity): string {
  const text = localTime(start)
  if (granularity === 'hour') return text.slice(5, 16)
  if (granularity === 'day') return text.slice(0, 10)
  return `${text.slice(5, 10)} ~ ${localTime(nextStart(start, 'week') - 1).slice(5, 10)}`
}
