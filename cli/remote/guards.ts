import type { Page } from '../../core/input.ts'
import { isRecord } from '../../core/records.ts'

/** Type guard for replies. Checks only the fields without which a command would print `undefined`. */
export type Guard<T> = (data: unknown) => data is T

export const isText: Guard<string> = (data) => typeof data === 'string'
export const isNumber: Guard<number> = (data) => typeof data === 'number'
export const isTextList: Guard<string[]> = (data): data is string[] => Array.isArray(data) && data.every(isText)

/** Returns a guard for an object with these fields. */
export function hasFields<T extends object>(...fields: readonly (keyof T & string)[]): Guard<T> {
  return (data): data is T => isRecord(data) && fields.every((field) => data[field] !== undefined)
}

/** Returns a guard for a list of objects with these fields. */
export function listOf<T extends object>(...fields: readonly (keyof T & string)[]): Guard<T[]> {
  const one = hasFields<T>(...fields)
  return (data): data is T[] => Array.isArray(data) && data.every(one)
}

/** Returns a guard for a page of objects with these fields. */
export function pageOf<T extends object>(...fields: readonly (keyof T & string)[]): Guard<Page<T>> {
  const items = listOf<T>(...fields)
  return (data): data is Page<T> =>
    isRecord(data) && items(data.items) && [data.total, data.page, data.page_size].every(isNumber)
}
