import { useStatus } from '../api/status.ts'
import { formatQuota } from './amounts.ts'

/**
 * An amount of quota, as money if the platform shows money. `digits` is the number of decimals. The tooltip has the
 * exact count.
 */
export function Quota({ value, digits }: { value: number; digits?: number }) {
  const { data: status } = useStatus()
  return (
    <span className="number" title={value.toLocaleString('en-US')}>
      {status ? formatQuota(value, status, digits) : '–'}
    </span>
  )
}
