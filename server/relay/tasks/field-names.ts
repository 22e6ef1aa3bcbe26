import type { Json } from '../json.ts'

/**
 * Removes fields whose names differ from one of `known` only in case. Servers that ignore case would read these fields,
 * but the gateway has not checked them.
 *
 * Names are first converted to upper case, which replaces `ſ` by `s`, as those servers do.
 */
export function withoutCaseVariants(object: Readonly<Json>, known: readonly string[]): Json {
  const exact = new Map(known.map((name) => [foldCase(name), name]))
  return Object.fromEntries(Object.entries(object).filter(([name]) => (exact.get(foldCase(name)) ?? name) === name))
}

const foldCase = (name: string) => name.toUpperCase().toLowerCase()
