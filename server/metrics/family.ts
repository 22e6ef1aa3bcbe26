/** One sample of a metric family. `metricName` is set if it differs from the family's name, as in a histogram. */
export interface Sample {
  value: number
  labels: Record<string, string>
  metricName?: string
}

/**
 * A metric with all its samples, in prom-client's format (`registry.getMetricsAsJSON()`). Processes exchange it as
 * JSON.
 */
export interface MetricFamily {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** The way to combine the values of several processes. */
  aggregator: 'sum' | 'max'
  values: Sample[]
}

/** Returns a family whose values are summed across processes. */
export function counter(name: string, help: string, values: Sample[]): MetricFamily {
  return { name, help, type: 'counter', aggregator: 'sum', values }
}

/** Returns a family of values that rise and fall. Use the aggregator `max` for values that all processes share. */
export function gauge(
  name: string,
  help: string,
  values: Sample[],
  aggregator: MetricFamily['aggregator'] = 'sum',
): MetricFamily {
  return { name, help, type: 'gauge', aggregator, values }
}

/** Counts observations in buckets. `observe` runs for each relay, so it must not allocate. */
export class MetricHistogram {
  /** Counts of each bucket, not cumulative. The last bucket has the values above all bounds. */
  private readonly counts: Float64Array
  private sum = 0

  /** `bounds`: upper bounds, ascending. */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index++
    counts[index] = (counts[index] as number) + 1
    this.sum += value
  }

  /** Returns cumulative samples for Prometheus, or an empty list before the first observation. */
  samples(name: string, labels: Record<string, string>): Sample[] {
    let total = 0
    const buckets = Array.from(this.counts, (count, index): Sample => {
      total += count
      const le = index < this.bounds.length ? String(this.bounds[index]) : '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total }
    })
    if (total === 0) return []
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }
}

export function histogram(name: string, help: string, values: Sample[]): MetricFamily {
  return { name, help, type: 'histogram', aggregator: 'sum', values }
}

/**
 * Counts by labels. Labels come from requests, and each combination of labels costs memory. So after `max`
 * combinations, all further combinations have one common count.
 */
export class LabelledCounts {
  private readonly counts = new Map<string, { labels: readonly string[]; count: number }>()

  constructor(
    private readonly names: readonly string[],
    private readonly max: number,
  ) {}

  add(...labels: readonly string[]): void {
    const key = labels.join('\0')
    const entry = this.counts.get(key)
    if (entry) entry.count += 1
    else if (this.counts.size < this.max) this.counts.set(key, { labels, count: 1 })
    else this.addOther()
  }

  private addOther(): void {
    const other = this.counts.get('')
    if (other) other.count += 1
    else this.counts.set('', { labels: this.names.map(() => OTHER), count: 1 })
  }

  samples(): Sample[] {
    return [...this.counts.values()].map(({ labels, count }) => ({
      value: count,
      labels: Object.fromEntries(this.names.map((name, index) => [name, labels[index] ?? ''])),
    }))
  }
}

/** Label of the common count of all combinations beyond the limit. */
export const OTHER = 'other'
