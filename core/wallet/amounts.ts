/** Computes the cost and quota of top-ups, with exact decimal arithmetic: 0.1 × 3 is 0.3. */
import { GatewayError } from '../errors.ts'
import { QUOTA_MAX } from '../input.ts'

export interface Terms {
  /** Whether amounts are whole dollars. If not, they are quota. */
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
  /** Currency units per dollar. */
  readonly price: number
  /** Multiplier of the user's group. */
  readonly ratio: number
  /** Minimum amount, in dollars. */
  readonly minimum: number
}

export interface Quote {
  /** The price, in the payment gateway's format: two decimals, rounded half up. */
  readonly money: string
  /** The sign tells whether the exact price is below (negative), equal to (0) or above one hundredth. */
  readonly aboveHundredth: number
  /** Whole dollars, rounded down. */
  readonly dollars: number
  /** Quota to credit. */
  readonly quota: number
}

/** Maximum price of one top-up, in hundredths. Numbers of this size are still exact. */
const HUNDREDTHS_MAX = 1e13

/**
 * Returns the quote for an amount, which is a whole number. Throws TOPUP_MINIMUM, and PARAMETERS_WRONG if the amount is too
 * large.
 */
export function quoteOf(amount: number, { inCurrency, quotaPerUnit, price, ratio, minimum }: Terms): Quote {
  const least = inCurrency ? minimum : minimum * Math.trunc(quotaPerUnit)
  if (amount < least) throw new GatewayError('TOPUP_MINIMUM', { minimum: least })
  const perUnit = fraction(quotaPerUnit)
  const units = inCurrency ? fraction(amount) : times(fraction(amount), inverse(perUnit))
  const hundredths = times(units, fraction(price), fraction(ratio), fraction(100))
  const quota = inCurrency ? Number(roundHalfUp(times(units, perUnit))) : amount
  const toPay = Number(roundHalfUp(hundredths))
  const dollars = Number(units.over / units.under)
  if (Math.max(quota, dollars) > QUOTA_MAX || toPay > HUNDREDTHS_MAX) {
    throw new GatewayError('PARAMETERS_WRONG', { reason: `amount ${amount}` })
  }
  return {
    money: (toPay / 100).toFixed(2),
    aboveHundredth: Number(hundredths.over - hundredths.under),
    dollars,
    quota,
  }
}

/** Parses a sum of money. Returns hundredths, or undefined if the text is invalid or has more than two decimals other than 0. */
export function hundredthsOf(text: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,8})?$/.exec(text) ?? []
  return whole === '' ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

/** Returns a number as a fraction, from its shortest decimal form, which is what the operator entered. */
function fraction(value: number): Fraction {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', part = ''] = digits.split('.')
  const shift = Number(exponent) - part.length
  const over = BigInt(whole + part)
  return shift < 0 ? { over, under: 10n ** BigInt(-shift) } : { over: over * 10n ** BigInt(shift), under: 1n }
}

function times(...factors: Fraction[]): Fraction {
  return factors.reduce((a, b) => ({ over: a.over * b.over, under: a.under * b.under }))
}

function inverse({ over, under }: Fraction): Fraction {
  return { over: under, under: over }
}

/** Rounds a fraction, which must not be negative. */
function roundHalfUp({ over, under }: Fraction): bigint {
  return (2n * over + under) / (2n * under)
}
