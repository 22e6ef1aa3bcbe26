import { USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { ofEmail } from './emails.ts'
import type { Passwords } from './passwords.ts'
import { toUser, USER_COLUMNS, type User } from './user.ts'

/** Who signed in, and the hash that the password fitted: a session begins only while it is still the stored one. */
export interface SignedIn {
  user: User
  passwordHash: string
}

export interface PasswordSignIn {
  /**
   * Name or e-mail address and password to a user. Throws PASSWORD_LOGIN_DISABLED, FIELD_REQUIRED, CREDENTIALS_EMPTY for a
   * blank name, and CREDENTIALS_WRONG for everything else that does not fit: nobody learns which.
   */
  login(credentials: { username: string; password: string }): Promise<SignedIn>
}

export function createPasswordSignIn({
  db,
  options,
  passwords,
}: {
  db: Database
  options: Options
  passwords: Passwords
}): PasswordSignIn {
  async function login({ username, password }: { username: string; password: string }): Promise<SignedIn> {
    if (!options.get(OPTIONS.PasswordLoginEnabled)) throw new GatewayError('PASSWORD_LOGIN_DISABLED')
    for (const [field, value] of Object.entries({ username, password })) {
      if (value === '') throw new GatewayError('FIELD_REQUIRED', { field })
    }
    const name = username.trim()
    if (name === '') throw new GatewayError('CREDENTIALS_EMPTY')
    const row = await db
      .reader('users')
      .where((either) => either.where({ username: name }).orWhere((mail) => ofEmail(mail, name)))
      .whereNull('deleted_at')
      .orderBy('id')
      .first(...USER_COLUMNS, 'password')
    const { fits, outdated } = await passwords.check(row?.password, password)
    if (!fits || row.status !== USER_STATUS.enabled) throw new GatewayError('CREDENTIALS_WRONG')
    const { password: verified, ...fields } = row
    if (!outdated) return { user: toUser(fields), passwordHash: verified }
    const hash = await passwords.hash(password)
    const replaced = await db.transaction((trx) =>
      trx('users').where({ id: row.id, password: verified }).update({ password: hash }),
    )
    // Another login was faster, or the password is another by now: the row tells.
    return replaced ? { user: toUser(fields), passwordHash: hash } : login({ username, password })
  }

  return { login }
}
