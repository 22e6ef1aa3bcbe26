import { GatewayError } from './errors.ts'

/** JavaScript counts integers exactly up to 2^53. This maximum is two billion dollars at the default QuotaPerUnit. */
export const QUOTA_MAX = 1e15
/** Maximum of a balance, so that the next credit is still exact. */
export const BALANCE_MAX = 9e15

/** Returns a whole number within bounds. Throws FIELD_WHOLE_NUMBER or FIELD_RANGE with the field name. */
export function wholeNumber(field: string, value: unknown, { min, max }: { min: number; max: number }): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new GatewayError('FIELD_WHOLE_NUMBER', { field })
  }
  if (value < min || value > max) throw new GatewayError('FIELD_RANGE', { field, min, max, value })
  return value
}

/** Returns an amount of quota: a whole number from 0 (or `min`) to QUOTA_MAX. */
export function quotaAmount(field: string, value: unknown, min = 0): number {
  return wholeNumber(field, value, { min, max: QUOTA_MAX })
}

/** Returns the trimmed text of `min` to `max` characters (code points). */
export function textOf(field: string, value: unknown, { min, max }: { min: number; max: number }): string {
  if (typeof value !== 'string') throw new GatewayError('FIELD_TEXT', { field })
  const text = value.trim()
  const length = [...text].length
  if (length < min && min === 1) throw new GatewayError('FIELD_REQUIRED', { field })
  if (length < min || length > max) throw new GatewayError('FIELD_LENGTH', { field, min, max })
  return text
}

/** Returns the value if it is one of the allowed ones. */
export function oneOf<T>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) {
    throw new GatewayError('FIELD_CHOICE', { field, words: allowed.join(', '), value: shown(value) })
  }
  return found
}

/** Parses JSON text that maps names to texts. Returns normalized JSON, or '' for empty text, `null` and `{}`. */
export function jsonMapOfTexts(field: string, text: string): string {
  if (text.trim() === '' || text.trim() === 'null') return ''
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('FIELD_JSON', { field }, { cause })
  }
  const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  if (!isMap || !Object.values(parsed as object).every((value) => typeof value === 'string')) {
    throw new GatewayError('FIELD_JSON_TEXTS', { field, example: '{"a":"b"}' })
  }
  return Object.keys(parsed as object).length ? JSON.stringify(parsed) : ''
}

/** Returns the JSON object in a text, or undefined. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Splits a comma list; removes blanks, empty entries and duplicates. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}

/** A page of a list. Page numbers start at 1. */
export interface Paging {
  page?: number
  pageSize?: number
}
export interface Page<T> {
  items: T[]
  total: number
  page: number
  page_size: number
}
const PAGE_SIZE = 10
const PAGE_SIZE_MAX = 1000

/** Limits the requested page size, so that a list is never unbounded. */
export function pageBounds({ page = 1, pageSize = PAGE_SIZE }: Paging): {
  page: number
  page_size: number
  offset: number
} {
  const page_size = pageSize >= 1 ? Math.min(Math.trunc(pageSize), PAGE_SIZE_MAX) : PAGE_SIZE
  const at = page >= 1 ? Math.trunc(page) : 1
  return { page: at, page_size, offset: Math.min((at - 1) * page_size, Number.MAX_SAFE_INTEGER) }
}
