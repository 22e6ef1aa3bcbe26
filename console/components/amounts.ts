/** The status fields that determine how quota is shown. */
interface QuotaDisplay {
  quota_per_unit: number
  display_in_currency: boolean
}

/** Quota in dollars, for any display setting: `$1`, `$0.20`. */
export function formatDollars(quota: number, { quota_per_unit }: Pick<QuotaDisplay, 'quota_per_unit'>): string {
  const dollars = Math.abs(quota) / quota_per_unit
  return inDollars(quota, dollars, Number.isInteger(dollars) ? 0 : dollars < 0.01 ? 6 : 2)
}

/**
 * Quota as dollars with two decimals, or as a token count if the platform does not show money. Amounts below a cent get six
 * decimals, so that no charged request looks free. `digits` fixes the number of decimals, for a column of amounts.
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

/** Quota for a chart axis, with enough digits to tell neighboring labels apart. */
export function formatAxisQuota(quota: number, { quota_per_unit, display_in_currency }: QuotaDisplay): string {
  if (!display_in_currency) return formatCount(quota)
  return `$${(quota / quota_per_unit).toLocaleString('en-US', { maximumSignificantDigits: 4 })}`
}

const STEPS = [
  { from: 1_000_000_000, unit: 'B', divisor: 1_000_000_000 },
  { from: 1_000_000, unit: 'M', divisor: 1_000_000 },
  { from: 10_000, unit: 'k', divisor: 1_000 },
] as const

/** A count, abbreviated: whole up to 9 999, above that 12.3k, 4.5M, 1.2B (truncated, not rounded up). */
export function formatCount(count: number): string {
  if (count < 0) return `-${formatCount(-count)}`
  const step = STEPS.find(({ from }) => count >= from)
  return step ? `${Math.floor(count / (step.divisor / 10)) / 10}${step.unit}` : String(count)
}
