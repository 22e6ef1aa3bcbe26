import { isRecord } from '../../core/records.ts'
/* Functions that read untrusted JSON and check every value before use. */
export type Json = Record<string, unknown>

/** Returns an array unchanged, or an empty array for any other value. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns only the objects in an array, or an empty array for any other value. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** Returns a non-empty string unchanged, or undefined for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns a value as text for a lookup or a message. An object becomes `an object`, because `String` throws if the
 * object has its own property `toString`.
 */
export function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Returns a count from an upstream as an integer, or 0 if it is invalid. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.trunc(value) : 0
}

/** Like `Number`, but returns NaN for an object. `Number` throws for an object with its own property `toString`. */
export function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value)
}

/**
 * Returns a copy of a table without a prototype. An untrusted name such as `constructor` then finds no inherited
 * property.
 */
export function lookup<T extends object>(rows: T): T {
  return Object.assign(Object.create(null), rows)
}

/** Maximum nesting of a value. Deeper nesting would overflow the stack in recursive functions. */
export const DEPTH_MAX = 512

/** Whether a value is nested deeper than `DEPTH_MAX`. `bytes` is the length of the value's JSON text. */
export function isTooDeep(value: unknown, bytes: number): boolean {
  // A text with at most `DEPTH_MAX` bytes cannot be nested deeper. Most texts are that short.
  return bytes > DEPTH_MAX && isDeeperThan(value, DEPTH_MAX)
}

/**
 * Replaces each text in a value by the result of `change`. `name` is the name of the property that contains the text,
 * directly or in a list. Returns the same value if no text changed. Values nested deeper than `DEPTH_MAX` become null.
 */
export function mapTexts(
  value: unknown,
  change: (text: string, name: string) => string,
  { name = '', levels = DEPTH_MAX } = {},
): unknown {
  if (typeof value === 'string') return change(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  const mapInner = (inner: unknown, key: string) => mapTexts(inner, change, { name: key, levels: levels - 1 })
  if (Array.isArray(value)) {
    const mapped = value.map((inner) => mapInner(inner, name))
    return mapped.some((inner, at) => inner !== value[at]) ? mapped : value
  }
  const mapped = Object.entries(value).map(([key, inner]) => [key, mapInner(inner, key), inner] as const)
  return mapped.some(([, after, before]) => after !== before) ? Object.fromEntries(mapped) : value
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
