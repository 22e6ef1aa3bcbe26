import type { Json } from '../json.ts'

/**
 * Returns a key as the most lenient upstream may read it: Go ignores case and folds `ſ` to s, and Google accepts `file_uri` for
 * `fileUri`. JSON.parse has already decoded escapes.
 */
export function folded(name: string): string {
  if (name.length > NAME_MAX) return name
  const lower = name.toLowerCase()
  if (!lower.includes('_') && !lower.includes('-') && !lower.includes('ſ')) return lower
  return lower.replace(/[_-]/g, '').replaceAll('ſ', 's')
}

/** Longer than any relevant key in any spelling. */
const NAME_MAX = 64

/** Returns all values that an upstream may read under a key; `key` is folded. */
export function valuesOf(object: Readonly<Json>, key: string): unknown[] {
  const values: unknown[] = []
  for (const name in object) if (folded(name) === key) values.push(object[name])
  return values
}
