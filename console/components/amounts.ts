/** The status fields that determine how quota is shown. */
interface QuotaDisplay {
  quota_per_unit: number
  display_in_currency: boolean
}

/** Returns quota in dollars, regardless of the display setting: `$1`, `$0.20`. */
export function formatDollars(quota: number, { quota_per_unit }: Pick<QuotaDisplay, 'quota_per_unit'>): string {
  const dollars = Math.abs(quota) / quota_per_unit
  return inDollars(quota, dollars, Number.isInteger(dollars) ? 0 : dollars < 0.01 ? 6 : 2)
}

/**
 * Returns quota in dollars with two decimals, or as a token count if the platform does not show money. Amounts below
 * one cent have six decimals, so that no charged request looks free. `digits` sets the same number of decimals for a
 * whole column.
 */
export function formatQuota(
  quota: number,
  { quota_per_unit, display_in_currency }: QuotaDisplay,
  digits?: number,
): string {
  if (!display_in_currency) return formatCount(quota)
  const dollars = Math.abs(quota) / quota_per_unit
  return inDollars(quota, dollars, digits ?? (dollars > 0 && dollars < 0.01 ? 6 : 2))
}

function inDollars(quota: number, dollars: number, digits: number): string {
  const amount = dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${quota < 0 ? '-' : ''}$${amount}`
}

/** Returns quota for a chart axis, with enough digits to distinguish neighboring labels. */
export function formatAxisQuota(quota: number, { quota_per_unit, display_in_currency }: QuotaDisplay): string {
  if (!display_in_currency) return formatCount(quota)
  return `$${(quota / quota_per_unit).toLocaleString('en-US', { maximumSignificantDigits: 4 })}`
}

const STEPS = [
  { from: 1_000_000_000, unit: 'B', divisor: 1_000_000_000 },
  { from: 1_000_000, unit: 'M', divisor: 1_000_000 },
  { from: 10_000, unit: 'k', divisor: 1_000 },
] as const

/** Returns a count up to 9,999 unchanged. Abbreviates larger counts: 12.3k, 4.5M. Truncates instead of rounding. */
export function formatCount(count: number): string {
  if (count < 0) return `-${formatCount(-count)}`
  const step = STEPS.find(({ from }) => count >= from)
  return step ? `${Math.floor(count / (step.divisor / 10)) / 10}${step.unit}` : String(count)
}
