import { useStatus } from '../api/status.ts'
import { formatQuota } from './amounts.ts'

/** An amount of quota, as money where the platform says so; pointed at, to the last token. */
export function Quota({ value }: { value: number }) {
  const { data: status } = useStatus()
  return (
    <span className="number" title={value.toLocaleString('en-US')}>
      {status ? formatQuota(value, status) : '–'}
    </span>
  )
}
