/** Splits a list into parts of at most `size` items, because a statement can have only a limited number of values. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}
