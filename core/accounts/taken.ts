import { errorMessage, errorProperty } from '../error-parts.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { keysOf } from '../records.ts'

/** Unique columns of users: patterns for the column (SQLite) or its index (PostgreSQL). */
const UNIQUE = {
  username: /users_username_unique|users\.username/,
  email: /users_email_once/,
  aff_code: /users_aff_code_unique|users\.aff_code/,
} as const

/** Returns the column of `users` whose uniqueness a statement violated, or undefined. */
export function takenColumn(error: unknown): keyof typeof UNIQUE | undefined {
  if (!isUniqueViolation(error)) return undefined
  // The driver's text begins with the statement, which also names columns.
  const [violatedText] = errorMessage(error).split('UNIQUE constraint failed:').slice(-1)
  const violated = String(errorProperty(error, 'constraint') ?? violatedText)
  return keysOf(UNIQUE).find((column) => UNIQUE[column].test(violated))
}

/** Runs `write`. Throws USERNAME_TAKEN or EMAIL_TAKEN if another user, even a deleted one, has the name or address. */
export async function withTakenErrors<T>(username: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const column = takenColumn(cause)
    if (column === 'username') throw new GatewayError('USERNAME_TAKEN', { username }, { cause })
    if (column === 'email') throw new GatewayError('EMAIL_TAKEN', {}, { cause })
    throw cause
  }
}
