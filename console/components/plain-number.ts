/** As `1e20`, which Arco takes for a number and cannot read. */
const WITH_EXPONENT = /^-?[\d.]+e\d+$/i

/** For Arco's `parser`: what was typed or pasted for a number, without what belongs to none. */
export function plainNumber(text: string): string {
  const kept = text.replace(/[^\w.-]+/g, '')
  if (!WITH_EXPONENT.test(kept)) return kept
  return Number(kept).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}
