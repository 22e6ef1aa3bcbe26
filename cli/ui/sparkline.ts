const BARS = '▁▂▃▄▅▆▇█'

/** The newest `width` numbers as bars scaled to the maximum; a baseline for zeros. */
export function sparkline(numbers: readonly number[], width: number): string {
  const newest = numbers.slice(-width)
  const highest = Math.max(1, ...newest)
  const bars = newest.map((number) => BARS[Math.round((number / highest) * (BARS.length - 1))])
  return '·'.repeat(width - newest.length) + bars.join('')
}
