import { InvalidArgumentError } from 'commander'
import { QUOTA_MAX } from '../core/input.ts'
import { quotaAmount } from './dollars.ts'

/*
 * How the texts of flags and arguments become values. What is refused here is a usage error that names the flag.
 */

/** A whole number in plain digits: not 1e30, 1.5, 0x10 or an empty text. */
export function wholeNumber({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
    }
    return value
  }
}

/** A number in plain digits, with a fraction if need be: not 1e30, .5 or an empty text. */
export function decimal({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+(\.\d+)?$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Give a number from ${min} to ${max}.`)
    }
    return value
  }
}

export const priceArgument = decimal({ min: 0, max: 1e9 })
export const positiveInt = wholeNumber({ min: 1, max: 2 ** 31 - 1 })
export const quotaArgument = quotaAmount({ min: 0, max: QUOTA_MAX })
/** Quota in a form of the terminal, where nothing turns dollars into it. */
export const quotaField = wholeNumber({ min: 0, max: QUOTA_MAX })
export const pageLimit = wholeNumber({ min: 1, max: 1000 })
export const portNumber = wholeNumber({ min: 0, max: 65_535 })

/** For arguments that may be given several times. */
export function positiveInts(text: string, before: number[] = []): number[] {
  const value = positiveInt(text)
  return before.includes(value) ? before : [...before, value]
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 }
const EXAMPLES = 'a duration such as 30m, 12h, 7d or 1y, or a date such as 2026-01-31 or 2026-01-31T18:00'

/** A time so long ago, or a date, in unix seconds. */
export function pastTime(text: string): number {
  const seconds = durationSeconds(text)
  return seconds === undefined ? dateSeconds(text, EXAMPLES) : Math.floor(Date.now() / 1000) - seconds
}

/** A time so far ahead, a date to come, or `never` (-1), in unix seconds. */
export function futureTime(text: string): number {
  if (text === 'never') return -1
  const now = Math.floor(Date.now() / 1000)
  const seconds = durationSeconds(text)
  const time = seconds === undefined ? dateSeconds(text, `never, ${EXAMPLES}`) : now + seconds
  if (time <= now) throw new InvalidArgumentError('That is in the past.')
  return time
}

/** How long to wait at most, in seconds: a number of them, or a duration such as 5m. */
export function waitingTime(text: string): number {
  const seconds = /^\d{1,7}$/.test(text) ? Number(text) : durationSeconds(text)
  if (seconds === undefined || seconds === 0)
    throw new InvalidArgumentError('Give seconds, or a duration such as 90s or 5m.')
  return seconds
}

function durationSeconds(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhdwy])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit as keyof typeof SECONDS]
}

/** Local time, unless the text says otherwise: what a clock on the wall shows. */
function dateSeconds(text: string, expected: string): number {
  const [, date = '', time = '00:00', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const milliseconds = Date.parse(`${date}T${time}${zone}`)
  // JavaScript takes February 31 for March 3.
  const exists = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(-2))
  if (Number.isNaN(milliseconds) || !exists) throw new InvalidArgumentError(`Give ${expected}.`)
  return Math.floor(milliseconds / 1000)
}

/** For texts that may be given several times. */
export function appended(text: string, before: string[] = []): string[] {
  return [...before, text]
}

const IDEMPOTENCY_KEY_MAX = 200

/** What a header can carry, with room for the number of a call behind it. */
export function idempotencyKey(text: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.length <= IDEMPOTENCY_KEY_MAX) return text
  throw new InvalidArgumentError(`Give 1 to ${IDEMPOTENCY_KEY_MAX} characters of ASCII.`)
}
