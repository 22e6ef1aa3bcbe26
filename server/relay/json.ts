/*
 * Reading JSON that somebody else wrote: nothing in it is as it should be until it was looked at.
 */
export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object, or an empty one. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** The array, or an empty one. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of an array; what else is in it is left out. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The text, unless it is none or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Any value as a word to look up or to repeat. `String` throws for objects that say they have a `toString` of their own. */
export function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A count as an upstream reports it: a whole number from 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.trunc(value) : 0
}

/** The object a JSON text holds; undefined for anything else. */
export function parseObject(text: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** As `Number`, which throws for such objects too. */
export function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value)
}

/** A table to look foreign words up in: it has nothing but its rows, not even for `constructor`. */
export function lookup<T extends object>(rows: T): T {
  return Object.assign(Object.create(null), rows)
}

/** The properties that are there: undefined ones are left out, 0 and '' and null stay. */
export function defined<T extends Json>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Deeper than this, whatever walks a value or writes it anew would run out of stack. */
export const DEPTH_MAX = 512

/** Whether a value, which text of so many bytes stands for, is nested deeper than `DEPTH_MAX`. */
export function isTooDeep(value: unknown, bytes: number): boolean {
  // A short text cannot be deep, and most are short.
  return bytes > DEPTH_MAX && deeperThan(value, DEPTH_MAX)
}

/**
 * A value with each text in it as `change` has it, `name` being that of its property; the same value where none is changed. What is
 * nested deeper than `DEPTH_MAX` is null.
 */
export function mapTexts(
  value: unknown,
  change: (text: string, name: string) => string,
  { name = '', levels = DEPTH_MAX } = {},
): unknown {
  if (typeof value === 'string') return change(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  const within = (inner: unknown, key: string) => mapTexts(inner, change, { name: key, levels: levels - 1 })
  if (Array.isArray(value)) {
    const mapped = value.map((inner) => within(inner, name))
    return mapped.some((inner, at) => inner !== value[at]) ? mapped : value
  }
  const mapped = Object.entries(value).map(([key, inner]) => [key, within(inner, key), inner] as const)
  return mapped.some(([, now, before]) => now !== before) ? Object.fromEntries(mapped) : value
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((inner) => deeperThan(inner, levels - 1))
}
