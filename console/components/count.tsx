import { formatCount } from './amounts.ts'

/** An abbreviated number of requests or tokens. The tooltip has the exact number. */
export function Count({ value }: { value: number }) {
  return (
    <span className="number" title={value.toLocaleString('en-US')}>
      {formatCount(value)}
    </span>
  )
}
