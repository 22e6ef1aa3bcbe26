import { calendarWindow, type Span } from './calendar.ts'
import type { CountedLimit, LimitPeriod } from './limit.ts'

/** Milliseconds of a rolling window; a month has 30 days. */
export const PERIOD_MS: Readonly<Record<Exclude<LimitPeriod, 'none'>, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}
/** The parts of a rolling window: used amounts become free at most one part late, never early. */
const PARTS = 60
const PARTS_OF_SECOND = 10

/** The amounts taken in each part of a window; `start` in milliseconds. */
export type Taken = [start: number, amount: number][]

/** The part of a window at an instant; `countsFrom` is the first part whose amounts still count. */
export interface Part extends Span {
  readonly countsFrom: number
}

type Windowed = Pick<CountedLimit, 'period' | 'time_zone'>

/** Returns the part of a limit's window at an instant, in milliseconds of the database's clock. */
export function partAt({ period, time_zone: zone }: Windowed, nowMs: number): Part {
  if (period === 'none') return { start: 0, end: Number.POSITIVE_INFINITY, countsFrom: 0 }
  if (zone !== '') {
    const { start, end } = calendarWindow(nowMs, period, zone)
    return { start, end, countsFrom: start }
  }
  const length = partLength(period)
  const start = Math.floor(nowMs / length) * length
  // A part at exactly this distance may have been used at its end, which is inside the window.
  return { start, end: start + length, countsFrom: start - PERIOD_MS[period] }
}

function partLength(period: Exclude<LimitPeriod, 'none'>): number {
  return PERIOD_MS[period] / (period === 'second' ? PARTS_OF_SECOND : PARTS)
}

/** Returns only the parts that still count. */
export function counting(taken: Taken, { countsFrom }: Pick<Part, 'countsFrom'>): Taken {
  return taken.filter(([start, amount]) => start >= countsFrom && amount > 0)
}

export const sumOf = (taken: Taken): number => taken.reduce((sum, [, amount]) => sum + amount, 0)

/** Adds to a part, or subtracts from it; ignores subtraction from a missing part. */
export function addTo(taken: Taken, start: number, amount: number): void {
  const part = taken.find(([at]) => at === start)
  if (part) part[1] = Math.max(0, part[1] + amount)
  else if (amount > 0) taken.push([start, amount])
}

/**
 * Returns when `needed` more will be free, in milliseconds of the database's clock; `nowMs` for concurrency, where it may be any
 * moment.
 */
export function freeAt(limit: Windowed, taken: Taken, { needed, nowMs }: { needed: number; nowMs: number }): number {
  const { period, time_zone: zone } = limit
  if (period === 'none') return nowMs
  if (zone !== '') return partAt(limit, nowMs).end
  let rest = needed
  const byAge = [...taken].sort(([a], [b]) => a - b)
  for (const [start, amount] of byAge) {
    rest -= amount
    if (rest <= 0) return expiryOf(period, start)
  }
  const [newest] = byAge.at(-1) ?? [nowMs]
  return expiryOf(period, newest)
}

const expiryOf = (period: Exclude<LimitPeriod, 'none'>, start: number): number =>
  start + PERIOD_MS[period] + partLength(period)
