import { useStatus } from '../../api/status.ts'
import { exactDollars } from './price.ts'

/** Answers how quota is written beside a computation: to the last digit, where money is shown. */
export function useExactQuota(): (quota: number) => string {
  const { data: status } = useStatus()
  return (quota) =>
    status?.display_in_currency ? exactDollars(quota / status.quota_per_unit) : quota.toLocaleString('en-US')
}
