import { calendarWindow, type TimeSpan } from './calendar.ts'
import type { CountedLimit, LimitPeriod } from './limit.ts'

/** Lengths of rolling windows in milliseconds. A month has 30 days. */
export const PERIOD_MS: Readonly<Record<Exclude<LimitPeriod, 'none'>, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}
/** Number of parts of a rolling window. A used amount becomes available again up to one part late, never early. */
const PARTS_PER_WINDOW = 60
const PARTS_PER_SECOND_WINDOW = 10

/** The amount used in each part of a window. `start` is in Unix milliseconds. */
export type PartAmounts = [start: number, amount: number][]

/** A part of a window. All times are in Unix milliseconds. */
export interface WindowPart extends TimeSpan {
  /** The start of the oldest part that is still in the window. */
  readonly oldestStart: number
}

type WindowFields = Pick<CountedLimit, 'period' | 'time_zone'>

/** Returns the part of the window that contains `nowMs` (the database's clock). A calendar window has only one part. */
export function partAt({ period, time_zone: zone }: WindowFields, nowMs: number): WindowPart {
  if (period === 'none') return { start: 0, end: Number.POSITIVE_INFINITY, oldestStart: 0 }
  if (zone !== '') {
    const { start, end } = calendarWindow(nowMs, period, zone)
    return { start, end, oldestStart: start }
  }
  const length = partLength(period)
  const start = Math.floor(nowMs / length) * length
  // Include the part that started one period earlier, because an amount used at its end is still in the window.
  return { start, end: start + length, oldestStart: start - PERIOD_MS[period] }
}

function partLength(period: Exclude<LimitPeriod, 'none'>): number {
  return PERIOD_MS[period] / (period === 'second' ? PARTS_PER_SECOND_WINDOW : PARTS_PER_WINDOW)
}

/** Returns the parts in the window that have an amount. */
export function partsInWindow(amounts: PartAmounts, { oldestStart }: Pick<WindowPart, 'oldestStart'>): PartAmounts {
  return amounts.filter(([start, amount]) => start >= oldestStart && amount > 0)
}

export const sumOf = (amounts: PartAmounts): number => amounts.reduce((sum, [, amount]) => sum + amount, 0)

/** Adds an amount to a part of the window. A negative amount is subtracted, but not from a missing part. */
export function addAmount(amounts: PartAmounts, start: number, amount: number): void {
  const part = amounts.find(([at]) => at === start)
  if (part) part[1] = Math.max(0, part[1] + amount)
  else if (amount > 0) amounts.push([start, amount])
}

/**
 * Returns when `needed` more of a limit will be available, in Unix milliseconds of the database's clock. For a
 * concurrency limit, returns `nowMs`, because a request may end at any time.
 */
export function nextAvailability(
  limit: WindowFields,
  amounts: PartAmounts,
  { needed, nowMs }: { needed: number; nowMs: number },
): number {
  const { period, time_zone: zone } = limit
  if (period === 'none') return nowMs
  if (zone !== '') return partAt(limit, nowMs).end
  let missing = needed
  const byAge = [...amounts].sort(([a], [b]) => a - b)
  for (const [start, amount] of byAge) {
    missing -= amount
    if (missing <= 0) return expiryOf(period, start)
  }
  const [newest] = byAge.at(-1) ?? [nowMs]
  return expiryOf(period, newest)
}

const expiryOf = (period: Exclude<LimitPeriod, 'none'>, start: number): number =>
  start + PERIOD_MS[period] + partLength(period)
