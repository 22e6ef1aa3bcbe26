import { useStatus } from '../../api/status.ts'
import { exactDollars } from './price.ts'

/** Returns a formatter for quota in computations: with all digits, if the platform shows money. */
export function useExactQuota(): (quota: number) => string {
  const { data: status } = useStatus()
  return (quota) =>
    status?.display_in_currency ? exactDollars(quota / status.quota_per_unit) : quota.toLocaleString('en-US')
}
