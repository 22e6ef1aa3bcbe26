import { addSums, noSums, type Sums, type UsageCell } from './cells.ts'
import type { Grouping, Metric } from './groupings.ts'
import { type Histogram, mergeInto, percentile } from './histogram.ts'
import type { UsageGroup, UsageTotals } from './schema.ts'

/** Sums from the counts that are written with each charge. They are exact and complete. */
export type ExactSums = Pick<Sums, 'count' | 'quota' | 'tokens'>

/** Returns the totals of the cells of one period. The sums in `exact` replace the sums of the cells. */
export function totalsOf(cells: Iterable<UsageCell>, exact?: ExactSums): UsageTotals {
  const sums = noSums()
  const latency: Histogram = new Map()
  const firstToken: Histogram = new Map()
  for (const cell of cells) {
    addSums(sums, cell)
    mergeInto(latency, cell.latency)
    mergeInto(firstToken, cell.first_token)
  }
  return {
    ...sums,
    ...exact,
    latency_p50: percentile(latency, 0.5),
    latency_p95: percentile(latency, 0.95),
    first_token_p50: percentile(firstToken, 0.5),
    first_token_p95: percentile(firstToken, 0.95),
  }
}

/** The sums of one name, such as a model, in total and by the start of the hour in Unix seconds. */
export interface NamedUsage {
  name: string
  sums: Sums
  hours: Map<number, ExactSums>
}

/** Sums cells by name. */
export function byName(cells: Iterable<UsageCell>): Map<string, NamedUsage> {
  const names = new Map<string, NamedUsage>()
  for (const cell of cells) addHour(names, cell.name, cell.created_at, cell)
  return names
}

export function addHour(names: Map<string, NamedUsage>, name: string, hour: number, sums: Sums): void {
  let usage = names.get(name)
  if (!usage) {
    usage = { name, sums: noSums(), hours: new Map() }
    names.set(name, usage)
  }
  addSums(usage.sums, sums)
  addToHour(usage.hours, hour, sums)
}

function addToHour(hours: NamedUsage['hours'], hour: number, { count, quota, tokens }: ExactSums): void {
  const before = hours.get(hour) ?? { count: 0, quota: 0, tokens: 0 }
  hours.set(hour, { count: before.count + count, quota: before.quota + quota, tokens: before.tokens + tokens })
}

/** The sums of one name, without latency and label. */
export type RankedGroup = Omit<UsageGroup, 'label' | 'latency_p95'>

interface Ranked {
  groups: RankedGroup[]
  groupCount: number
  series: { hour: number; group: number; count: number; quota: number; tokens: number }[]
}

/** Returns the `max` largest names by a metric. Other names form one unnamed group, so that the sums are complete. */
export function rank(names: ReadonlyMap<string, NamedUsage>, { metric, max }: { metric: Metric; max: number }): Ranked {
  const named = [...names.values()].filter(({ name }) => name !== '').sort(byMetric(metric))
  const unnamed = names.get('')
  const others = [...named.slice(max), ...(unnamed ? [unnamed] : [])]
  const groups = named.slice(0, max)
  if (others.length > 0) groups.push(sumUsages(others))
  const series = groups.flatMap(({ hours }, group) =>
    [...hours].filter(([, { count }]) => count > 0).map(([hour, sums]) => ({ hour, group, ...sums })),
  )
  return {
    groups: groups.map(({ name, sums }) => ({ name, ...sums })),
    groupCount: others.length,
    series: series.sort((a, b) => a.hour - b.hour),
  }
}

/** Sums several usages under one name. */
export function sumUsages(usages: readonly NamedUsage[], name = ''): NamedUsage {
  const sum: NamedUsage = { name, sums: noSums(), hours: new Map() }
  for (const { sums, hours } of usages) {
    addSums(sum.sums, sums)
    for (const [hour, hourSums] of hours) addToHour(sum.hours, hour, hourSums)
  }
  return sum
}

const byMetric =
  (metric: Metric) =>
  (a: NamedUsage, b: NamedUsage): number =>
    b.sums[metric] - a.sums[metric] || b.sums.count + b.sums.failed - a.sums.count - a.sums.failed

/** The groupings that common users may use for their own relays. */
export const OWN_GROUPINGS: readonly Grouping[] = ['model', 'token', 'group']
