/** As far as a date goes. Whoever writes an expiry, and an upstream that says when it was done, may give any number. */
const SECONDS_MAX = 8_640_000_000_000

export const isMoment = (seconds: number): boolean => Math.abs(seconds) <= SECONDS_MAX

/** Unix seconds as programs and spreadsheets write them; empty for none. */
export function isoTime(seconds: number): string {
  return seconds > 0 && isMoment(seconds) ? new Date(seconds * 1000).toISOString() : ''
}

/** `2026-01-31 13:05:09` by the reader's clock, as date fields show it; empty for what is no moment. */
export function localTime(seconds: number): string {
  if (!isMoment(seconds)) return ''
  const at = new Date(seconds * 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
