import { useStatus } from '../api/status.ts'
import { formatQuota } from './amounts.ts'

/** An amount of quota, as money where the platform says so. */
export function Quota({ value }: { value: number }) {
  const { data: status } = useStatus()
  return <span className="number">{status ? formatQuota(value, status) : '–'}</span>
}
