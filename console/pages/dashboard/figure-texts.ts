import type { DashboardTotals } from '../../api/dashboard.ts'

/** Returns the relative change from the previous period: `+12%`. Undefined if the previous value is 0 or less. */
export function changeOf(now: number, before: number): string | undefined {
  if (before <= 0) return undefined
  const change = Math.round(((now - before) / before) * 100)
  return change > 0 ? `+${change}%` : `${change}%`
}

/** Returns the success rate of relays, from 0 to 1; undefined if there were no relays. */
export function successOf({ ok, failed }: Pick<DashboardTotals, 'ok' | 'failed'>): number | undefined {
  return ok + failed > 0 ? ok / (ok + failed) : undefined
}

/** Formats a fraction from 0 to 1, such as `99.9%`. Only exactly 1 becomes `100%`. */
export function percentText(fraction: number): string {
  const percent = fraction === 1 ? 100 : Math.min(99.9, Math.floor(fraction * 1000) / 10)
  return `${percent.toFixed(percent === 100 || percent === 0 ? 0 : 1)}%`
}

/** Formats milliseconds: `85 ms`, `1.4 s`, `75 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** Returns the end of an axis, which is 1, 2, 4, 5 or 8 times a power of ten; 0 if the largest value is not above 0. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(largest))
  const step = [1, 2, 4, 5, 8, 10].find((factor) => factor * power >= largest) ?? 10
  return step * power
}
