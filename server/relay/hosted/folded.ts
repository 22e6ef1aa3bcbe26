import type { Json } from '../json.ts'

/**
 * Returns the normalized form of a key, which is the same for all spellings that an upstream may accept. JSON parsers
 * in Go ignore case and treat `ſ` as s. Google accepts `file_uri` for `fileUri`.
 */
export function foldKey(name: string): string {
  if (name.length > NAME_MAX) return name
  const lower = name.toLowerCase()
  if (!lower.includes('_') && !lower.includes('-') && !lower.includes('ſ')) return lower
  return lower.replace(/[_-]/g, '').replaceAll('ſ', 's')
}

/** Maximum length of a key that is normalized. No relevant key is longer, in any spelling. */
const NAME_MAX = 64

/**
 * Returns the values of all spellings of a key, because an upstream may read any of them. `key` must be normalized by
 * `foldKey`.
 */
export function valuesOfSpellings(object: Readonly<Json>, key: string): unknown[] {
  const values: unknown[] = []
  for (const name in object) if (foldKey(name) === key) values.push(object[name])
  return values
}
