import type { Json } from '../json.ts'

/**
 * A key as the most lenient parser of an upstream may read it: Go ignores case, with `ſ` as an s, and Google takes `file_uri` for
 * `fileUri`. Escapes are gone already: JSON.parse has read them.
 */
export function folded(name: string): string {
  if (name.length > NAME_MAX) return name
  const lower = name.toLowerCase()
  if (!lower.includes('_') && !lower.includes('-') && !lower.includes('ſ')) return lower
  return lower.replace(/[_-]/g, '').replaceAll('ſ', 's')
}

/** No key that is looked for is as long, however it is spelled. */
const NAME_MAX = 64

/** All values that an upstream may read under a key, which is given folded. */
export function valuesOf(object: Readonly<Json>, key: string): unknown[] {
  const values: unknown[] = []
  for (const name in object) if (folded(name) === key) values.push(object[name])
  return values
}
