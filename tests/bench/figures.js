/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (low + high) / 2
}

/** @param {number[]} sorted @param {number} percent */
export function percentile(sorted, percent) {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

/** @param {number[]} values */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Returns the standard error of the mean. @param {number[]} values */
export function standardError(values) {
  const average = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)) / (values.length - 1))
}

/** Returns the mean growth from one value to the next, by least squares. @param {number[]} values */
export function slope(values) {
  const [middle, average] = [(values.length - 1) / 2, mean(values)]
  const [rise, run] = values.reduce(
    ([above, below], value, index) => [above + (index - middle) * (value - average), below + (index - middle) ** 2],
    [0, 0],
  )
  return rise / run
}

/** Formats a number for people, with its unit. A value that could not be measured is a dash. @param {number | undefined} value @param {string} [unit] */
export function show(value, unit = '') {
  if (value === undefined || Number.isNaN(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit && ` ${unit}`}`
}

/** @param {number | undefined} bytes */
export function megabytes(bytes) {
  return bytes === undefined ? undefined : bytes / 1_000_000
}
