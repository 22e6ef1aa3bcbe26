import { useStatus } from '../../api/status.ts'
import { exactDollars } from './price.ts'

/** Returns a function that formats quota in full: in dollars if the platform shows money, else as a number. */
export function useExactQuota(): (quota: number) => string {
  const { data: status } = useStatus()
  return (quota) =>
    status?.display_in_currency ? exactDollars(quota / status.quota_per_unit) : quota.toLocaleString('en-US')
}
