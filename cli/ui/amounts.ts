import { QUOTA_MAX } from '../../core/input.ts'
import { InvalidValue } from '../command.ts'
import { Dollars, quotaAmount } from '../output/dollars.ts'
import { useUi } from './ui-context.ts'

/** Returns functions for typed amounts. The syntax is that of the command line: `500000`, `5m`, `$1`, `1.50usd`. */
export function useAmount({ min = 0, max = QUOTA_MAX } = {}) {
  const { quotaPerUnit, format } = useUi()
  const parse = quotaAmount({ min, max })

  /** Parses an amount to quota. Throws InvalidArgumentError. */
  function read(text: string): number {
    const value: unknown = parse(text.trim())
    if (!(value instanceof Dollars)) return Number(value)
    const quota = Math.round(value.dollars * quotaPerUnit)
    if (quota < min || quota > max)
      throw new InvalidValue({ id: 'program.expectedAWholeNumberFromTo', values: { min, max } })
    return quota
  }
  /** Parses an amount to quota. Returns undefined for an incomplete amount. */
  function quotaIn(text: string): number | undefined {
    try {
      return read(text)
    } catch {
      return undefined
    }
  }
  /** Returns a text with the dollar value of an amount. For dollars and `5m`, the text also contains the quota. */
  function hint(text: string): string {
    const quota = quotaIn(text)
    if (quota === undefined) return ''
    return /^\d+$/.test(text.trim()) ? `= ${format.money(quota)}` : `= ${quota} (${format.money(quota)})`
  }
  return { read, quotaIn, hint }
}
