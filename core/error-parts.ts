/** Returns a property of an error of the system or a driver, such as `constraint`, or undefined if missing. */
export function errorProperty(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
}

/** Returns the code of an error of the system or a driver, such as ENOENT or 23505, or '' if it has none. */
export function errorCode(error: unknown): string {
  const code = errorProperty(error, 'code')
  return typeof code === 'string' ? code : ''
}

/** Returns the message of an error. Other thrown values are converted to text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
