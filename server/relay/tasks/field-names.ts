import type { Json } from '../json.ts'

/**
 * Removes fields whose names differ from one of `known` only in case. Servers that ignore case would read these fields,
 * although the gateway has not checked them.
 */
export function withoutCaseVariants(object: Readonly<Json>, known: readonly string[]): Json {
  const exact = new Map(known.map((name) => [foldCase(name), name]))
  return Object.fromEntries(Object.entries(object).filter(([name]) => (exact.get(foldCase(name)) ?? name) === name))
}

/** Converts to upper case first, because that replaces `ſ` by `s`, as those servers do. */
const foldCase = (name: string) => name.toUpperCase().toLowerCase()
