import type { UsageRow } from '../../api/usage.ts'
import { bucketLabel, bucketStart, type Granularity } from './buckets.ts'

/** What one model, or all that are not shown by themselves, used in one bucket of time. */
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
  /** Models that have a colour of their own; the others are added up. */
  models: readonly string[]
  /** What a model is called; of one that is not shown by itself, what the others are called. */
  nameOf: (model: string) => string
}

/** One point for each bucket and each name, the oldest first; where nothing was used it is 0. */
export function usageSeries(rows: readonly UsageRow[], { starts, granularity, models, nameOf }: Shape): UsagePoint[] {
  const names = [...new Set([...models, ...rows.map((row) => row.model_name)].map(nameOf))]
  const points = new Map<string, UsagePoint>()
  for (const start of starts) {
    const time = bucketLabel(start, granularity)
    for (const model of names) points.set(`${start} ${model}`, { time, model, count: 0, tokens: 0, quota: 0 })
  }
  for (const { model_name, created_at, count, token_used, quota } of rows) {
    const point = points.get(`${bucketStart(created_at, granularity)} ${nameOf(model_name)}`)
    if (!point) continue
    point.count += count
    point.tokens += token_used
    point.quota += quota
  }
  return [...points.values()]
}

/** What all models used together in each bucket that has something, the newest first. */
export function usageByTime(rows: readonly UsageRow[], granularity: Granularity): TimeSum[] {
  const sums = new Map<number, TimeSum>()
  for (const { created_at, count, token_used, quota } of rows) {
    const start = bucketStart(created_at, granularity)
    const sum = sums.get(start) ?? { start, count: 0, tokens: 0, quota: 0 }
    sums.set(start, {
      start,
      count: sum.count + count,
      tokens: sum.tokens + token_used,
      quota: sum.quota + quota,
    })
  }
  return [...sums.values()].sort((a, b) => b.start - a.start)
}
