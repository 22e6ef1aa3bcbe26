import type { Json } from '../json.ts'

/**
 * Whether some object in a JSON text, at any depth, has a key twice. `keys`: how many the text has; `parsed`: what `JSON.parse`
 * made of it, which keeps one of each.
 */
export function repeatsKey(keys: number, parsed: Readonly<Json>): boolean {
  return lookAtKeys(keys, parsed, NO_NAMES).repeats
}

const NO_NAMES = () => false

/** The same, and whether one of the keys, or its value, `isWatched`: all of it in one walk, since each request is walked. */
export function lookAtKeys(
  keys: number,
  parsed: Readonly<Json>,
  isWatched: (name: string, value: unknown) => boolean,
): { repeats: boolean; watched: boolean } {
  const watch = { isWatched, seen: false }
  return { repeats: keys !== keysIn(parsed, watch), watched: watch.seen }
}

/** How many keys a value has, at any depth. */
export function countKeys(parsed: Readonly<Json>): number {
  return keysIn(parsed, { isWatched: NO_NAMES, seen: false })
}

interface Watch {
  readonly isWatched: (name: string, value: unknown) => boolean
  seen: boolean
}

function keysIn(value: object, watch: Watch): number {
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (typeof item === 'object' && item !== null) keys += keysIn(item, watch)
      else if (!watch.seen && typeof item === 'string' && watch.isWatched('', item)) watch.seen = true
    }
    return keys
  }
  for (const name in value) {
    keys++
    const inner = (value as Json)[name]
    if (!watch.seen && watch.isWatched(name, inner)) watch.seen = true
    if (typeof inner === 'object' && inner !== null) keys += keysIn(inner, watch)
  }
  return keys
}
