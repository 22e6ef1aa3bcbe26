import type { Status } from '../../api/status.ts'

type Terms = Pick<Status, 'min_topup' | 'display_in_currency' | 'quota_per_unit'>

/** Returns the minimum top-up in the amount field's unit: dollars, or quota if the platform does not show money. */
export function leastAmount({ min_topup, display_in_currency, quota_per_unit }: Terms): number {
  return display_in_currency ? min_topup : min_topup * Math.trunc(quota_per_unit)
}
