const DAY_MS = 86_400_000

/** Returns the start of a day (such as 2026-01-31) in a time zone, in Unix seconds. */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00Z`)
  // The offset at UTC midnight may differ from the offset at local midnight, if DST changes between them. So compute it
  // again.
  const guess = midnight - offsetMs(midnight, timeZone)
  return (midnight - offsetMs(guess, timeZone)) / 1000
}

/** Returns the day in a time zone. `ms` is the Unix time in milliseconds. */
export const dayAt = (ms: number, timeZone: string): string =>
  new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 10)

export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Returns how far a time zone is ahead of UTC, in milliseconds. */
function offsetMs(ms: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}
