import type { Page } from '../../core/input.ts'

/** Whether an answer is what it is taken for, as far as nothing else would be told by a screen full of `undefined`. */
export type Outline<T> = (data: unknown) => data is T

export const text: Outline<string> = (data) => typeof data === 'string'
export const number: Outline<number> = (data) => typeof data === 'number'
export const texts: Outline<string[]> = (data): data is string[] => Array.isArray(data) && data.every(text)

/** One thing, which has these fields. */
export function recordOf<T extends object>(...fields: readonly (keyof T & string)[]): Outline<T> {
  return (data): data is T => isRecord(data) && fields.every((field) => data[field] !== undefined)
}

/** Things that all have these fields. */
export function listOf<T extends object>(...fields: readonly (keyof T & string)[]): Outline<T[]> {
  const one = recordOf<T>(...fields)
  return (data): data is T[] => Array.isArray(data) && data.every(one)
}

/** Some of many things that all have these fields, and how many there are. */
export function pageOf<T extends object>(...fields: readonly (keyof T & string)[]): Outline<Page<T>> {
  const items = listOf<T>(...fields)
  return (data): data is Page<T> =>
    isRecord(data) && items(data.items) && [data.total, data.page, data.page_size].every(number)
}

export const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
