/** Times in the URL: unix seconds, empty if not set. */
interface TimeFilter {
  from: string
  to: string
}

interface TimeRange {
  from: number
  to: number
}

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** Each ends an hour from now, because an upstream's clock may be ahead. */
export const TIME_RANGES = {
  today: (now: Date) => ({ from: seconds(new Date(now.getFullYear(), now.getMonth(), now.getDate())), to: ahead(now) }),
  week: (now: Date) => ({ from: seconds(now) - 7 * DAY_S, to: ahead(now) }),
  month: (now: Date) => ({ from: seconds(now) - 30 * DAY_S, to: ahead(now) }),
} as const satisfies Record<string, (now: Date) => TimeRange>

const ahead = (now: Date) => seconds(now) + HOUR_S

/** Returns the chosen range, with the default for a missing start or end. */
export function taskRangeOf({ from, to }: TimeFilter, fallback: TimeRange): TimeRange {
  return { from: wholeNumber(from) ?? fallback.from, to: wholeNumber(to) ?? fallback.to }
}

/** Returns the search for the filters, with the default range unless times are set. */
export function searchOf(
  { id, channel_id, ...time }: TimeFilter & { id: string; channel_id: string },
  defaultRange: keyof typeof TIME_RANGES,
  now: Date,
): TimeRange & { id: string; channel: number } {
  return { id, channel: wholeNumber(channel_id) ?? 0, ...taskRangeOf(time, TIME_RANGES[defaultRange](now)) }
}

export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
