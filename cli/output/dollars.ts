import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { InvalidValue } from '../command.ts'
import { usageError } from '../errors.ts'

/** Minus sign U+2212. A hyphen would start an option. */
export const MINUS = '\u2212'

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

interface Bounds {
  min: number
  max: number
}

/** A dollar amount on the command line; `convertDollars` turns it into quota. */
export class Dollars {
  constructor(
    readonly dollars: number,
    private readonly bounds: Bounds,
    /** Converts the quota to the value of the flag or argument. */
    private readonly toValue: (quota: number) => unknown = (quota) => quota,
  ) {}

  /** Returns the same amount for a flag whose value is not a number. `toValue` converts the quota to this value. */
  as(toValue: (quota: number) => unknown): Dollars {
    return new Dollars(this.dollars, this.bounds, toValue)
  }

  /** Returns the value. Throws a usage error if the quota is out of bounds. */
  valueFor({ t }: Cli, quotaPerUnit: number): unknown {
    const quota = Math.round(this.dollars * quotaPerUnit)
    const { min, max } = this.bounds
    // An amount that is smaller than one quota would become a budget of 0.
    const isTooSmall = quota === 0 && this.dollars !== 0
    if (isTooSmall || quota < min || quota > max) {
      const dollars = `$${this.dollars.toFixed(12).replace(/\.?0+$/, '')}`
      throw usageError(t('general.equalsQuota', { dollars, quota, min: isTooSmall ? 1 : min, max }))
    }
    return this.toValue(quota)
  }
}

/**
 * Parses an amount of quota: a whole number, a number with k, m or b (`5m` is five million), or dollars: `$1`,
 * `1.50usd`. The result type is `number`, because `convertDollars` converts dollars before the command runs.
 */
export function quotaAmount(bounds: Bounds): (text: string) => number {
  const { min, max } = bounds
  return (text) => {
    const dollars = /^\$(\d{1,10}(?:\.\d+)?)$|^(\d{1,10}(?:\.\d+)?) ?(?:usd|\$)$/i.exec(text)
    if (dollars) return new Dollars(Number(dollars[1] ?? dollars[2]), bounds) as unknown as number
    const [, count = '', unit = ''] = /^(-?\d+(?:\.\d+)?)([kmb]?)$/i.exec(text) ?? []
    // The product has floating-point noise, but the test below needs a whole number.
    const product = Number(count) * (UNITS[unit.toLowerCase()] ?? 1)
    const value = unit === '' ? Number(count) : Number(product.toPrecision(15))
    const isPlain = unit !== '' || /^-?\d+$/.test(text)
    if (count === '' || !isPlain || !Number.isInteger(value) || value < min || value > max) {
      throw new InvalidValue({ id: 'general.expectedAWholeNumber', values: { min, max } })
    }
    return value
  }
}

/** Converts dollars in flags and arguments to quota by the gateway's QuotaPerUnit. Runs before each command. */
export async function convertDollars(cli: Cli, command: Command): Promise<void> {
  const flags = Object.entries(command.opts()).filter(
    (entry): entry is [string, Dollars] => entry[1] instanceof Dollars,
  )
  const dollarArguments = [...command.processedArgs.entries()].filter(([, value]) => value instanceof Dollars)
  if (flags.length + dollarArguments.length === 0) return
  const { toolkit } = await cli.open()
  const { quotaPerUnit } = await toolkit.display()
  for (const [name, value] of flags) command.setOptionValue(name, value.valueFor(cli, quotaPerUnit))
  for (const [index, value] of dollarArguments) {
    command.processedArgs[index] = (value as Dollars).valueFor(cli, quotaPerUnit)
  }
}
