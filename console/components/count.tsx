import { formatCount } from './amounts.ts'

/** A number of requests or tokens; the exact one shows when pointed at. */
export function Count({ value }: { value: number }) {
  return (
    <span className="number" title={value.toLocaleString('en-US')}>
      {formatCount(value)}
    </span>
  )
}
