/* Readers of untrusted JSON: check every value before use. */
export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object, or an empty one. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** Returns the array, or an empty one. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the objects of an array and drops other items. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the text, unless it is missing or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns any value as text to look up or repeat. `String` throws for objects with a `toString` of their own. */
export function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Returns a count from an upstream as an integer; 0 if it is invalid. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.trunc(value) : 0
}

/** Parses a JSON object; returns undefined for anything else. */
export function parseObject(text: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Like `Number`, which throws for objects with a `toString` of their own. */
export function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value)
}

/** Returns a table without a prototype: untrusted words such as `constructor` match only its rows. */
export function lookup<T extends object>(rows: T): T {
  return Object.assign(Object.create(null), rows)
}

/** Removes undefined properties; keeps 0, '' and null. */
export function defined<T extends Json>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Deeper nesting would overflow the stack in code that walks or rebuilds a value. */
export const DEPTH_MAX = 512

/** Whether a value is nested deeper than `DEPTH_MAX`. `bytes` is the length of its text. */
export function isTooDeep(value: unknown, bytes: number): boolean {
  // A short text cannot be deep, and most texts are short.
  return bytes > DEPTH_MAX && deeperThan(value, DEPTH_MAX)
}

/**
 * Replaces each text in a value by the result of `change`, whose `name` is the property's name. Returns the same value if
 * nothing changed. Values nested deeper than `DEPTH_MAX` become null.
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
