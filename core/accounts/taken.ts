import { GatewayError, isUniqueViolation } from '../errors.ts'

/** What two users cannot have both: the column, or the index over it, as PostgreSQL and SQLite name it. */
const UNIQUE = {
  username: /users_username_unique|users\.username/,
  email: /users_email_once/,
  aff_code: /users_aff_code_unique|users\.aff_code/,
} as const

/** Which column of `users` a statement violated, if it was that. */
export function takenColumn(error: unknown): keyof typeof UNIQUE | undefined {
  if (!isUniqueViolation(error)) return undefined
  const { constraint, message = '' } = error as { constraint?: string; message?: string }
  // The driver's text begins with the statement, which names columns too.
  const violated = constraint ?? message.split('UNIQUE constraint failed:').at(-1) ?? ''
  return (Object.keys(UNIQUE) as (keyof typeof UNIQUE)[]).find((column) => UNIQUE[column].test(violated))
}

/** Writes a user. Throws USERNAME_TAKEN or EMAIL_TAKEN when another has that name or address, deleted ones included. */
export async function whereFree<T>(username: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const column = takenColumn(cause)
    if (column === 'username') throw new GatewayError('USERNAME_TAKEN', { username }, { cause })
    if (column === 'email') throw new GatewayError('EMAIL_TAKEN', {}, { cause })
    throw cause
  }
}
