/** Matches numbers such as `1e20`, which Arco accepts as input but cannot parse. */
const WITH_EXPONENT = /^-?[\d.]+e\d+$/i

/** For Arco's `parser`: removes characters that are not of a number, and writes numbers such as `1e20` in full. */
export function plainNumber(text: string): string {
  const digits = text.replace(/[^\w.-]+/g, '')
  if (!WITH_EXPONENT.test(digits)) return digits
  return Number(digits).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}
