/** A property of an error of the system or a driver, such as `constraint` or `syscall`; undefined if the error has none. */
export function errorProperty(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
}

/** The code of an error of the system or a driver, such as ENOENT or 23505; empty if the error has none. */
export function errorCode(error: unknown): string {
  const code = errorProperty(error, 'code')
  return typeof code === 'string' ? code : ''
}

/** Returns the message of an error. Other thrown values are converted to text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
