import { BALANCE_MAX } from '../input.ts'

const INT32_MAX = 2 ** 31 - 1

/** Typed values of a row of a foreign database, whose columns can contain anything. Changed values are reported. */
export interface RowValues {
  text(column: string, options?: { max?: number; otherwise?: string }): string
  integer(column: string, options?: { otherwise?: number; min?: number; max?: number }): number
  boolean(column: string): boolean
  /** Returns the value as the driver returned it, or undefined for NULL and for a missing column. */
  raw(column: string): unknown
}

export function rowValuesOf(row: Readonly<Record<string, unknown>>, change: (what: string) => void): RowValues {
  return {
    raw: (column) => row[column] ?? undefined,
    text(column, { max = Number.POSITIVE_INFINITY, otherwise = '' } = {}) {
      const value = row[column]
      if (value === null || value === undefined) return otherwise
      const whole = Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
      const text = storable(whole)
      if (text !== whole) change(`${column} has characters that a database cannot store: they are replaced`)
      if (text.length <= max) return text
      const characters = [...text]
      if (characters.length <= max) return text
      change(`${column} is cut to ${max} characters`)
      return characters.slice(0, max).join('')
    },
    integer(column, { otherwise = 0, min = -INT32_MAX, max = INT32_MAX } = {}) {
      const value = row[column]
      if (value === null || value === undefined || value === '') return otherwise
      const number = Math.trunc(Number(value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value))
      if (Number.isNaN(number)) {
        change(`${column} is ${JSON.stringify(String(value).slice(0, 40))}, not a number: ${otherwise} instead`)
        return otherwise
      }
      const bounded = Math.min(Math.max(number, min), max)
      if (bounded !== number) change(`${column} is ${number}, out of bounds: ${bounded} instead`)
      return bounded
    },
    boolean(column) {
      const value = row[column]
      if (value instanceof Uint8Array) return value[0] === 1
      return value === true || value === 1 || value === '1' || value === 't' || value === 'true'
    },
  }
}

/** Returns a value as a whole number. Other values, and numbers above 2^53, become 0. */
export function toInteger(value: unknown): number {
  const number = Math.trunc(Number(value ?? 0))
  return Number.isSafeInteger(number) ? number : 0
}

const UNSTORABLE = /\0|\p{Cs}/u

/** Returns text that PostgreSQL can store. Removes NUL, and replaces lone surrogates with U+FFFD. */
export function storable(text: string): string {
  return UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd') : text
}

/** Bounds of quota columns. */
export const QUOTA_BOUNDS = { min: -BALANCE_MAX, max: BALANCE_MAX }
/** Bounds of times in seconds or milliseconds. */
export const TIME = { min: -1, max: 2 ** 53 - 1 }
/** Bounds of source ids, which may exceed 32 bits. */
export const ID = { min: 0, max: 2 ** 53 - 1 }
export const COUNT = { min: 0, max: INT32_MAX }

/**
 * Returns the time of deletion in ISO 8601, or null for a row that is not deleted. An unreadable time is returned as
 * text, cut to 40 characters.
 */
export function deletedAt(value: unknown): string | null {
  if (value === null || value === undefined || value === '' || value === 0) return null
  const time = new Date(typeof value === 'number' ? value * (value < 1e11 ? 1000 : 1) : String(value))
  return Number.isNaN(time.getTime()) ? String(value).slice(0, 40) : time.toISOString()
}
