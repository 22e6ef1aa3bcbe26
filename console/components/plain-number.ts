/** Matches numbers such as `1e20`, which Arco accepts as input but cannot parse. */
const WITH_EXPONENT = /^-?[\d.]+e\d+$/i

/** Removes characters that do not belong to a number, and writes numbers such as `1e20` in full. For Arco's `parser`. */
export function plainNumber(text: string): string {
  const digits = text.replace(/[^\w.-]+/g, '')
  if (!WITH_EXPONENT.test(digits)) return digits
  return Number(digits).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}
