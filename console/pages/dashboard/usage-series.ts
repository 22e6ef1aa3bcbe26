import { bucketLabel, bucketStart, type Granularity } from './buckets.ts'

/** The usage of one dashboard group, such as a user, in one hour. `model_name` is the group's display name. */
export interface HourlyUsage {
  model_name: string
  /** Start of the hour in unix seconds. */
  created_at: number
  count: number
  quota: number
  token_used: number
}

/** The usage of one group, or of all other groups together, in one hour, day or week. `model` is the display name. */
export interface UsagePoint {
  time: string
  model: string
  count: number
  tokens: number
  quota: number
}

interface TimeSum {
  start: number
  count: number
  tokens: number
  quota: number
}

interface Shape {
  starts: readonly number[]
  granularity: Granularity
  /** Display names to include even if no row has them. */
  models: readonly string[]
}

/** Returns one point per bucket and display name, oldest first. Points without usage are 0. */
export function usageSeries(rows: readonly HourlyUsage[], { starts, granularity, models }: Shape): UsagePoint[] {
  const names = [...new Set([...models, ...rows.map((row) => row.model_name)])]
  const points = new Map<string, UsagePoint>()
  for (const start of starts) {
    const time = bucketLabel(start, granularity)
    for (const model of names) points.set(`${start} ${model}`, { time, model, count: 0, tokens: 0, quota: 0 })
  }
  for (const { model_name, created_at, count, token_used, quota } of rows) {
    const point = points.get(`${bucketStart(created_at, granularity)} ${model_name}`)
    if (!point) continue
    point.count += count
    point.tokens += token_used
    point.quota += quota
  }
  return [...points.values()]
}

/** Returns the usage of all groups together, for each bucket that has usage, newest first. */
export function usageByTime(rows: readonly HourlyUsage[], granularity: Granularity): TimeSum[] {
  const sums = new Map<number, TimeSum>()
  for (const { created_at, count, token_used, quota } of rows) {
    const start = bucketStart(created_at, granularity)
    const sum = sums.get(start) ?? { start, count: 0, tokens: 0, quota: 0 }
    sums.set(start, { start, count: sum.count + count, tokens: sum.tokens + token_used, quota: sum.quota + quota })
  }
  return [...sums.values()].sort((a, b) => b.start - a.start)
}
