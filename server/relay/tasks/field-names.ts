import type { Json } from '../json.ts'

/**
 * An object without fields that are one of `known` but for their letters' case: many servers match names without case, and
 * would read what nobody here has looked at. The upper case first: it makes an `s` of the long one, as those servers do.
 */
export function withoutCaseVariants(object: Readonly<Json>, known: readonly string[]): Json {
  const exact = new Map(known.map((name) => [folded(name), name]))
  return Object.fromEntries(Object.entries(object).filter(([name]) => (exact.get(folded(name)) ?? name) === name))
}

const folded = (name: string) => name.toUpperCase().toLowerCase()
