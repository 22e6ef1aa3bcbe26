import { GatewayError } from './errors.ts'
import { isRecord } from './records.ts'

/** Maximum of an amount of quota. At the default QuotaPerUnit, it is two billion dollars. */
export const QUOTA_MAX = 1e15
/** Maximum of a balance, in quota. It is below 2^53, so that sums with it are exact. */
export const BALANCE_MAX = 9e15

/** Maximum of an id, because PostgreSQL's integer columns have 32 bits. */
export const ID_MAX = 2 ** 31 - 1

/** Returns a whole number within bounds. Throws FIELD_WHOLE_NUMBER or FIELD_RANGE with the field name. */
export function requireWholeNumber(field: string, value: unknown, { min, max }: { min: number; max: number }): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new GatewayError('FIELD_WHOLE_NUMBER', { field })
  if (value < min || value > max) throw new GatewayError('FIELD_RANGE', { field, min, max, value })
  return value
}

/** Returns an amount of quota, a whole number from `min` to QUOTA_MAX. Throws like `requireWholeNumber`. */
export function requireQuota(field: string, value: unknown, min = 0): number {
  return requireWholeNumber(field, value, { min, max: QUOTA_MAX })
}

/** Returns the trimmed text if it has `min` to `max` code points. Throws FIELD_TEXT, FIELD_REQUIRED or FIELD_LENGTH. */
export function requireText(field: string, value: unknown, { min, max }: { min: number; max: number }): string {
  if (typeof value !== 'string') throw new GatewayError('FIELD_TEXT', { field })
  const text = value.trim()
  const length = [...text].length
  if (length < min && min === 1) throw new GatewayError('FIELD_REQUIRED', { field })
  if (length < min || length > max) throw new GatewayError('FIELD_LENGTH', { field, min, max })
  return text
}

/** Returns the value if it is one of the allowed values. Throws FIELD_CHOICE. */
export function oneOf<T>(field: string, value: unknown, allowed: readonly T[]): T {
  const match = allowed.find((each) => each === value)
  if (match === undefined) {
    throw new GatewayError('FIELD_CHOICE', { field, words: allowed.join(', '), value: formatValue(value) })
  }
  return match
}

/** Parses JSON that maps names to texts. Empty text and `null` are empty maps. Throws FIELD_JSON, FIELD_JSON_TEXTS. */
export function mapOfTexts(field: string, text: string): Record<string, string> {
  if (text.trim() === '' || text.trim() === 'null') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('FIELD_JSON', { field }, { cause })
  }
  if (isRecord(parsed) && isMapOfTexts(parsed)) return parsed
  throw new GatewayError('FIELD_JSON_TEXTS', { field, example: '{"a":"b"}' })
}

function isMapOfTexts(record: Record<string, unknown>): record is Record<string, string> {
  return Object.values(record).every((value) => typeof value === 'string')
}

/** Parses a JSON object. Returns undefined if the text is not JSON, or not an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Splits a list at its commas. Trims the entries, and removes empty entries and duplicates. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '')
}

function formatValue(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}

/** Selects a page of a list. Page numbers start at 1. */
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

/** Returns the page's number, size (at most PAGE_SIZE_MAX) and offset. Invalid values become the defaults. */
export function pageBounds({ page = 1, pageSize = PAGE_SIZE }: Paging): {
  page: number
  page_size: number
  offset: number
} {
  const page_size = pageSize >= 1 ? Math.min(Math.trunc(pageSize), PAGE_SIZE_MAX) : PAGE_SIZE
  const pageNumber = page >= 1 ? Math.trunc(page) : 1
  return { page: pageNumber, page_size, offset: Math.min((pageNumber - 1) * page_size, Number.MAX_SAFE_INTEGER) }
}
