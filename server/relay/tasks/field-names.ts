import type { Json } from '../json.ts'

/**
 * Removes fields that differ from one of `known` only in case. Many servers ignore case, and would read fields that the gateway
 * has not checked. Names are converted to upper case first, which folds `ſ` to `s`, as those servers do.
 */
export function withoutCaseVariants(object: Readonly<Json>, known: readonly string[]): Json {
  const exact = new Map(known.map((name) => [folded(name), name]))
  return Object.fromEntries(Object.entries(object).filter(([name]) => (exact.get(folded(name)) ?? name) === name))
}

const folded = (name: string) => name.toUpperCase().toLowerCase()
