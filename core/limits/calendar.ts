import type { LimitPeriod } from './limit.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A span of time, in Unix milliseconds. `end` is exclusive. */
export interface TimeSpan {
  readonly start: number
  readonly end: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns whether a name is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  // Reject offsets such as +08:00, which only newer versions of Node accept.
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}

/** Returns the wall-clock time of a zone at an instant, encoded as if it were UTC, without milliseconds. */
function wallClock(ms: number, zone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Returns how far a zone is ahead of UTC at an instant, in milliseconds. */
export const offsetAt = (ms: number, zone: string): number =>
  wallClock(ms, zone) - Math.floor(ms / SECOND_MS) * SECOND_MS

/**
 * Returns the first instant at which the clocks of a zone show a date (`wall`) or a later one. If DST skips midnight,
 * the day begins with the first minute that exists. If midnight occurs twice, the day begins at the first midnight.
 */
function startOfDate(wall: number, zone: string): number {
  const candidates = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)].map((offset) => wall - offset)
  const reachedInstants = candidates.filter((instant) => wallClock(instant, zone) >= wall)
  return Math.min(...(reachedInstants.length > 0 ? reachedInstants : candidates))
}

/** Returns the calendar window of a zone that contains an instant (Unix milliseconds). Weeks begin on Monday. */
export function calendarWindow(ms: number, period: Exclude<LimitPeriod, 'none'>, zone: string): TimeSpan {
  if (period === 'second' || period === 'minute')
    return windowOfLength(ms, period === 'second' ? SECOND_MS : MINUTE_MS, 0)
  if (period === 'hour') return windowOfLength(ms, HOUR_MS, offsetAt(ms, zone))
  const wall = wallClock(ms, zone)
  const date = new Date(wall - (wall % DAY_MS))
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const monday = day - ((date.getUTCDay() + 6) % 7)
  const bounds = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    week: [Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7)],
    month: [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)],
  } as const
  const [start, end] = bounds[period]
  return { start: startOfDate(start, zone), end: startOfDate(end, zone) }
}

function windowOfLength(ms: number, length: number, offset: number): TimeSpan {
  const start = Math.floor((ms + offset) / length) * length - offset
  return { start, end: start + length }
}
