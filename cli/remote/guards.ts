import type { Data, DataName } from '../../core/api/calls.ts'
import { isRecord } from '../../core/records.ts'
import { REPLIES } from './replies.ts'

/** Type guard for replies. Checks that required fields exist, because commands would print `undefined` without them. */
export type Guard<T> = (data: unknown) => data is T

/** What a reply must be: a JavaScript type, an object with these fields, a list, a page, or one of several shapes. */
type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | readonly string[]
  | { readonly list: Shape }
  | { readonly page: Shape }
  | { readonly anyOf: readonly Shape[] }

const SHAPES: Readonly<Record<DataName, Shape>> = REPLIES

/** Returns the guard for `data` of a documented call. Newer servers may send more fields. */
export function dataOf<N extends DataName>(name: N): Guard<Data<N>> {
  return (data): data is Data<N> => fits(data, SHAPES[name])
}

/** Returns a guard for an object with these fields. For replies that the API's description does not determine. */
export function hasFields<T extends object>(...fields: readonly (keyof T & string)[]): Guard<T> {
  return (data): data is T => fits(data, fields)
}

function fits(data: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return typeof data === shape
  if ('list' in shape) return Array.isArray(data) && data.every((item) => fits(item, shape.list))
  if ('anyOf' in shape) return shape.anyOf.some((each) => fits(data, each))
  if (!isRecord(data)) return false
  if ('page' in shape) {
    const { items, total, page, page_size } = data
    return fits(items, { list: shape.page }) && [total, page, page_size].every((count) => typeof count === 'number')
  }
  return shape.every((field) => data[field] !== undefined)
}
