import { GatewayError } from './errors.ts'

/** Quota must stay exact: JavaScript counts integers exactly up to 2^53. A billion dollars is far below. */
export const QUOTA_MAX = 1e15
/** What no balance may exceed: the next credit would no longer be exact. */
export const BALANCE_MAX = 9e15

/** A whole number within bounds, or FIELD_WHOLE_NUMBER / FIELD_RANGE with the field named. */
export function wholeNumber(field: string, value: unknown, { min, max }: { min: number; max: number }): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new GatewayError('FIELD_WHOLE_NUMBER', { field })
  }
  if (value < min || value > max) throw new GatewayError('FIELD_RANGE', { field, min, max, value })
  return value
}

/** Quota that is given or set: a whole number from 0 (or `min`) to QUOTA_MAX. */
export function quotaAmount(field: string, value: unknown, min = 0): number {
  return wholeNumber(field, value, { min, max: QUOTA_MAX })
}

/** Text of `min` to `max` characters (code points), trimmed. */
export function textOf(field: string, value: unknown, { min, max }: { min: number; max: number }): string {
  if (typeof value !== 'string') throw new GatewayError('FIELD_TEXT', { field })
  const text = value.trim()
  const length = [...text].length
  if (length < min && min === 1) throw new GatewayError('FIELD_REQUIRED', { field })
  if (length < min || length > max) throw new GatewayError('FIELD_LENGTH', { field, min, max })
  return text
}

/** One of a fixed set of values. */
export function oneOf<T>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined) {
    throw new GatewayError('FIELD_CHOICE', { field, words: allowed.join(', '), value: shown(value) })
  }
  return found
}

/** JSON text that maps names to texts; empty text, `null` and `{}` all mean none. Answers normalised JSON, or ''. */
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

/** The JSON object in a text; undefined when there is none. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A comma list without blanks, empty entries and repetitions. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}

/** A page of a list: page numbers start at 1. */
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

/** Bounds what was asked for: a list is never unbounded. */
export function pageBounds({ page = 1, pageSize = PAGE_SIZE }: Paging): {
  page: number
  page_size: number
  offset: number
} {
  const page_size = pageSize >= 1 ? Math.min(Math.trunc(pageSize), PAGE_SIZE_MAX) : PAGE_SIZE
  const at = page >= 1 ? Math.trunc(page) : 1
  return { page: at, page_size, offset: Math.min((at - 1) * page_size, Number.MAX_SAFE_INTEGER) }
}
