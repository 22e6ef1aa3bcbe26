/** Whether a value of unknown origin, such as parsed JSON, is an object with names, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object with names, otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Returns the names in an object whose type lists all of them, such as a constant. */
export function keysOf<T extends object>(object: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in object) keys.push(key)
  return keys
}
