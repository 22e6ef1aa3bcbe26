import { formatCount } from './amounts.ts'

/** A number of requests or tokens; the tooltip has the exact number. */
export function Count({ value }: { value: number }) {
  return (
    <span className="number" title={value.toLocaleString('en-US')}>
      {formatCount(value)}
    </span>
  )
}
