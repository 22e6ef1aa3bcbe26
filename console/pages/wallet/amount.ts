import type { Status } from '../../api/status.ts'

type Terms = Pick<Status, 'min_topup' | 'display_in_currency' | 'quota_per_unit'>

/** What may be topped up at least, in the unit that amounts are asked in: dollars, or quota where that is what is shown. */
export function leastAmount({ min_topup, display_in_currency, quota_per_unit }: Terms): number {
  return display_in_currency ? min_topup : min_topup * Math.trunc(quota_per_unit)
}
