import type { Json } from '../json.ts'

/**
 * Whether any object in a JSON text repeats a key. `keys` is the number of keys in the text. `parsed` is the result of
 * `JSON.parse`, which has each repeated key only once.
 */
export function repeatsKey(keys: number, parsed: Readonly<Json>): boolean {
  return scanKeys(keys, parsed, WATCH_NOTHING).repeats
}

const WATCH_NOTHING = () => false

/** Like `repeatsKey`, but in the same walk also finds out whether `isWatched` is true for any key or value. */
export function scanKeys(
  keys: number,
  parsed: Readonly<Json>,
  isWatched: (name: string, value: unknown) => boolean,
): { repeats: boolean; hasWatchedKey: boolean } {
  const watch = { isWatched, seen: false }
  return { repeats: keys !== keysIn(parsed, watch), hasWatchedKey: watch.seen }
}

/** Returns the number of keys in a value, at any depth. */
export function countKeys(parsed: Readonly<Json>): number {
  return keysIn(parsed, { isWatched: WATCH_NOTHING, seen: false })
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
