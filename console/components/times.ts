/** The largest time that a JavaScript date can have, in unix seconds. Times from users and upstreams may be larger. */
const SECONDS_MAX = 8_640_000_000_000

export const isMoment = (seconds: number): boolean => Math.abs(seconds) <= SECONDS_MAX

/** Returns unix seconds as ISO 8601 text; empty for 0, negative and invalid times. */
export function isoTime(seconds: number): string {
  return seconds > 0 && isMoment(seconds) ? new Date(seconds * 1000).toISOString() : ''
}

/** Returns a text such as `2026-01-31 13:05:09` in the user's time zone, as in date fields; empty if invalid. */
export function localTime(seconds: number): string {
  if (!isMoment(seconds)) return ''
  const date = new Date(seconds * 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
