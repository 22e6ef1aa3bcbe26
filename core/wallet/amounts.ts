import { GatewayError } from '../errors.ts'
import { QUOTA_MAX } from '../input.ts'

/** The conditions of a top-up. */
interface Terms {
  /** Whether amounts are whole dollars. Otherwise they are quota. */
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
  /** Price of a dollar in the currency of the payment gateway. */
  readonly price: number
  /** Multiplier of the user's group. */
  readonly ratio: number
  /** Minimum amount, in dollars. */
  readonly minimum: number
}

export interface Quote {
  /** The price as the payment gateway expects it: two decimals, rounded half up. */
  readonly money: string
  /** Compares the exact price with 0.01: negative if it is less, 0 if it is equal, positive if it is more. */
  readonly aboveHundredth: number
  /** The amount in whole dollars, rounded down. */
  readonly dollars: number
  /** The quota to credit. */
  readonly quota: number
}

/** Maximum price of one top-up, in hundredths of the payment gateway's currency. Doubles are exact at this size. */
const HUNDREDTHS_MAX = 1e13

/**
 * Returns the quote for a whole number of dollars or quota. Computes with exact fractions, so that 0.1 × 3 is 0.3.
 * Throws TOPUP_MINIMUM, and PARAMETERS_WRONG if the amount is too large.
 */
export function quoteOf(amount: number, { inCurrency, quotaPerUnit, price, ratio, minimum }: Terms): Quote {
  const least = inCurrency ? minimum : minimum * Math.trunc(quotaPerUnit)
  if (amount < least) throw new GatewayError('TOPUP_MINIMUM', { minimum: least })
  const perUnit = fraction(quotaPerUnit)
  const units = inCurrency ? fraction(amount) : times(fraction(amount), inverse(perUnit))
  const hundredths = times(units, fraction(price), fraction(ratio), fraction(100))
  const quota = inCurrency ? Number(roundHalfUp(times(units, perUnit))) : amount
  const moneyHundredths = Number(roundHalfUp(hundredths))
  const dollars = Number(units.numerator / units.denominator)
  if (Math.max(quota, dollars) > QUOTA_MAX || moneyHundredths > HUNDREDTHS_MAX) {
    throw new GatewayError('PARAMETERS_WRONG', { reason: `amount ${amount}` })
  }
  return {
    money: (moneyHundredths / 100).toFixed(2),
    aboveHundredth: Number(hundredths.numerator - hundredths.denominator),
    dollars,
    quota,
  }
}

/** Converts a sum of money to hundredths. Returns undefined for invalid text, or nonzero decimals after the second. */
export function hundredthsOf(text: string): number | undefined {
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,8})?$/.exec(text) ?? []
  return whole === '' ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Converts a number to a fraction, from its shortest decimal form, which is the form that the operator entered. */
function fraction(value: number): Fraction {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = digits.split('.')
  const shift = Number(exponent) - decimals.length
  const numerator = BigInt(whole + decimals)
  return shift < 0
    ? { numerator, denominator: 10n ** BigInt(-shift) }
    : { numerator: numerator * 10n ** BigInt(shift), denominator: 1n }
}

function times(...factors: Fraction[]): Fraction {
  return factors.reduce((a, b) => ({
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  }))
}

function inverse({ numerator, denominator }: Fraction): Fraction {
  return { numerator: denominator, denominator: numerator }
}

/** Rounds a fraction that is not negative. */
function roundHalfUp({ numerator, denominator }: Fraction): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
