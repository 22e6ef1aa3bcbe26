/** Upper limit of JavaScript dates. Entered expiry times and upstream finish times may exceed it. */
const SECONDS_MAX = 8_640_000_000_000

export const isMoment = (seconds: number): boolean => Math.abs(seconds) <= SECONDS_MAX

/** ISO 8601 text of unix seconds; empty if there is no valid time. */
export function isoTime(seconds: number): string {
  return seconds > 0 && isMoment(seconds) ? new Date(seconds * 1000).toISOString() : ''
}

/** `2026-01-31 13:05:09` in the user's time zone, as in date fields; empty for an invalid time. */
export function localTime(seconds: number): string {
  if (!isMoment(seconds)) return ''
  const date = new Date(seconds * 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
