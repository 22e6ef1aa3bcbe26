import { QUOTA_MAX } from '../../core/input.ts'
import { readCondition } from '../../core/pricing/conditions.ts'
import { InvalidValue } from '../command.ts'
import { Dollars, quotaAmount } from '../output/dollars.ts'
import type { TextId } from '../texts.ts'

/*
 * Parsers of flags and arguments. Their errors become usage errors that name the flag.
 */

/** Returns a parser of plain digits. The parser rejects 1e30, 1.5, 0x10, an empty text, and numbers out of bounds. */
export function wholeNumber({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || value < min || value > max) {
      throw new InvalidValue({ id: 'program.expectedAWholeNumberFromTo', values: { min, max } })
    }
    return value
  }
}

/** Returns a parser of digits with an optional fraction. Rejects 1e30, .5, empty text and numbers out of bounds. */
export function decimal({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+(\.\d+)?$/.test(text) || value < min || value > max) {
      throw new InvalidValue({ id: 'pricing.expectedANumberFromTo', values: { min, max } })
    }
    return value
  }
}

export const priceArgument = decimal({ min: 0, max: 1e9 })
/** Parses a repeatable price condition: `tier=flex=0.5`. */
export function priceCondition(
  text: string,
  before: Record<string, number | null> = {},
): Record<string, number | null> {
  const separator = text.lastIndexOf('=')
  const condition = text.slice(0, separator)
  if (separator < 0 || !readCondition(condition, 1)) {
    throw new InvalidValue({ id: 'pricing.expectedAConditionAndAFactor' })
  }
  const factor = text.slice(separator + 1)
  return { ...before, [condition]: factor === 'none' ? null : priceArgument(factor) }
}
export const positiveInt = wholeNumber({ min: 1, max: 2 ** 31 - 1 })
export const quotaArgument = quotaAmount({ min: 0, max: QUOTA_MAX })
export const limitAmount = wholeNumber({ min: 1, max: QUOTA_MAX })

/** Parses dollars in plain digits. `convertDollars` converts the result to quota before the command runs. */
export function usdAmount(text: string): number {
  const amount = decimal({ min: 0, max: 1e9 })(text.replace(/^\$/, ''))
  return new Dollars(amount, { min: 1, max: QUOTA_MAX }) as unknown as number
}
export const channelPriority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
export const channelWeight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })
export const pageLimit = wholeNumber({ min: 1, max: 1000 })
export const portNumber = wholeNumber({ min: 0, max: 65_535 })

/** Parses one value of a repeatable argument. Returns all values so far, each once. */
export function positiveInts(text: string, before: number[] = []): number[] {
  const value = positiveInt(text)
  return before.includes(value) ? before : [...before, value]
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 }

/** Parses a duration before now, or a date, to unix seconds. */
export function pastTime(text: string): number {
  const seconds = durationSeconds(text)
  return seconds === undefined ? dateSeconds(text, 'program.expectedTime') : Math.floor(Date.now() / 1000) - seconds
}

/** Parses the age of rows to remove, like `pastTime`. Rejects a time in the future, because all rows are older. */
export function rowAge(text: string): number {
  const time = pastTime(text)
  if (time > Date.now() / 1000) throw new InvalidValue({ id: 'program.expectedATimeInThePast' })
  return time
}

/** Parses a duration from now, a future date, or `never` (-1), to unix seconds. */
export function futureTime(text: string): number {
  if (text === 'never') return -1
  const now = Math.floor(Date.now() / 1000)
  const seconds = durationSeconds(text)
  const time = seconds === undefined ? dateSeconds(text, 'program.expectedFutureTime') : now + seconds
  if (time <= now) throw new InvalidValue({ id: 'program.expectedATimeInTheFuture' })
  return time
}

/** Parses a maximum wait to seconds: a number of seconds, or a duration such as 5m. */
export function waitingTime(text: string): number {
  const seconds = /^\d{1,7}$/.test(text) ? Number(text) : durationSeconds(text)
  if (seconds === undefined || seconds === 0) throw new InvalidValue({ id: 'server.expectedSeconds' })
  return seconds
}

function durationSeconds(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhdwy])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit as keyof typeof SECONDS]
}

/** Parses a date, optionally with a time. A text without a time zone is in local time. */
function dateSeconds(text: string, expected: TextId): number {
  const [, date = '', time = '00:00', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const milliseconds = Date.parse(`${date}T${time}${zone}`)
  // JavaScript parses February 31 as March 3.
  const exists = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(-2))
  if (Number.isNaN(milliseconds) || !exists) throw new InvalidValue({ id: expected })
  return Math.floor(milliseconds / 1000)
}

/** Appends one text of a repeatable argument. */
export function appended(text: string, before: string[] = []): string[] {
  return [...before, text]
}

const IDEMPOTENCY_KEY_MAX = 200

/** Parses an idempotency key. Allows only texts that fit into a header, even with the number of a call appended. */
export function idempotencyKey(text: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.length <= IDEMPOTENCY_KEY_MAX) return text
  throw new InvalidValue({
    id: 'redemption.expected1ToAsciiCharacters',
    values: { idempotencyKeyMax: IDEMPOTENCY_KEY_MAX },
  })
}
