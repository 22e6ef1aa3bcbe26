import { offsetAt } from '../../limits/calendar.ts'

const DAY_MS = 86_400_000

/** Returns the start of a day (such as 2026-01-31) in a time zone, in Unix seconds. */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00Z`)
  // If DST changes between UTC midnight and local midnight, their offsets differ. So compute the offset again.
  const guess = midnight - offsetAt(midnight, timeZone)
  return (midnight - offsetAt(guess, timeZone)) / 1000
}

/** Returns the day in a time zone. `ms` is the Unix time in milliseconds. */
export const dayAt = (ms: number, timeZone: string): string =>
  new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 10)

export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)
