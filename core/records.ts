/** Returns whether a value, such as parsed JSON, is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if `isRecord` is true for it, otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Returns the property names of an object. Its type must list all properties, like the type of a constant. */
export function keysOf<T extends object>(object: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in object) keys.push(key)
  return keys
}

/** Returns a copy of an object without its undefined properties. 0, '' and null remain. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
