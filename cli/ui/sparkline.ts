const BARS = '▁▂▃▄▅▆▇█'

/** The newest `width` numbers as bars, the highest of them as the tallest; a line at the bottom where there are none. */
export function sparkline(numbers: readonly number[], width: number): string {
  const newest = numbers.slice(-width)
  const highest = Math.max(1, ...newest)
  const bars = newest.map((number) => BARS[Math.round((number / highest) * (BARS.length - 1))])
  return '·'.repeat(width - newest.length) + bars.join('')
}
