/** A time range in the URL, in unix seconds as text; empty if not set. */
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

/** Time ranges in unix seconds. Each range ends an hour after `now`, because an upstream's clock may be ahead. */
export const TIME_RANGES = {
  today: (now: Date) => ({ from: seconds(new Date(now.getFullYear(), now.getMonth(), now.getDate())), to: endOf(now) }),
  week: (now: Date) => ({ from: seconds(now) - 7 * DAY_S, to: endOf(now) }),
  month: (now: Date) => ({ from: seconds(now) - 30 * DAY_S, to: endOf(now) }),
} as const satisfies Record<string, (now: Date) => TimeRange>

const endOf = (now: Date) => seconds(now) + HOUR_S

/** Returns the time range in the URL. Replaces a missing or invalid start or end by that of `fallback`. */
export function taskRangeOf({ from, to }: TimeFilter, fallback: TimeRange): TimeRange {
  return { from: parseWholeNumber(from) ?? fallback.from, to: parseWholeNumber(to) ?? fallback.to }
}

/** Converts the filters to a search. Replaces a missing start or end by that of the default range. */
export function searchOf(
  { id, channel_id, ...time }: TimeFilter & { id: string; channel_id: string },
  defaultRange: keyof typeof TIME_RANGES,
  now: Date,
): TimeRange & { id: string; channel: number } {
  return { id, channel: parseWholeNumber(channel_id) ?? 0, ...taskRangeOf(time, TIME_RANGES[defaultRange](now)) }
}

export function parseWholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
