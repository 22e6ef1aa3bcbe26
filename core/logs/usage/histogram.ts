/**
 * The number of measurements in each bucket, by bucket number. Each bucket is 10 % wider than the previous one, so
 * percentiles in milliseconds are accurate to 5 %.
 */
export type Histogram = Map<number, number>

const GROWTH = Math.log(1.1)

export function addMs(histogram: Histogram, ms: number): void {
  const bucket = Math.round(Math.log(Math.max(1, ms)) / GROWTH)
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1)
}

export function mergeInto(histogram: Histogram, other: Histogram): void {
  for (const [bucket, count] of other) histogram.set(bucket, (histogram.get(bucket) ?? 0) + count)
}

/** Returns the text to store, such as `48:3 51:1`. */
export function encode(histogram: Histogram): string {
  return [...histogram].map(([bucket, count]) => `${bucket}:${count}`).join(' ')
}

export function decode(text: string): Histogram {
  const histogram: Histogram = new Map()
  if (text === '') return histogram
  for (const part of text.split(' ')) {
    const [bucket, count] = part.split(':').map(Number)
    if (bucket !== undefined && count !== undefined && count > 0) histogram.set(bucket, count)
  }
  return histogram
}

/** Returns a percentile in milliseconds, or -1 for an empty histogram. `fraction` is 0.95 for the 95th percentile. */
export function percentile(histogram: Histogram, fraction: number): number {
  let total = 0
  for (const count of histogram.values()) total += count
  if (total === 0) return -1
  let left = Math.max(1, Math.ceil(total * fraction))
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return Math.round(Math.exp(bucket * GROWTH))
  }
  return -1
}
