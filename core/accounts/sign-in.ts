import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { type Actor, USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { guessesLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Devices } from './devices.ts'
import { ofEmail } from './emails.ts'
import type { Guess, Guesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import { toUser, USER_COLUMNS, type User } from './user.ts'

/** Longer than any check of a password takes: how long a refusal takes does not tell which hash was checked, or that none was. */
const REFUSAL_MS = 250

/** Who signed in, and the hash that the password fitted: a session begins only while it is still the stored one. */
export interface SignedIn {
  user: User
  passwordHash: string
}

/** What is known of a sign-in besides name and password. */
export interface SignInContext {
  /** What `devices.issue` gave this browser after an earlier sign-in. */
  device?: string | undefined
  /** Asked once the limit is reached: whether a bot check was solved for this very try. */
  isHuman?: () => Promise<boolean>
}

/** The stored hash that the password of now was held against; the change is made only while it is still the stored one. */
export interface PasswordProof {
  passwordHash?: string | undefined
}

export interface PasswordSignIn {
  /**
   * Name or e-mail address and password to a user. Throws PASSWORD_LOGIN_DISABLED, FIELD_REQUIRED, CREDENTIALS_EMPTY for a
   * blank name, GUESSES_LIMITED, and CREDENTIALS_WRONG for everything else that does not fit, without saying which.
   */
  login(credentials: { username: string; password: string }, context?: SignInContext): Promise<SignedIn>
  /**
   * Checks the actor's own password, and returns its stored hash. Wrong ones are counted apart from those at the sign-in, which
   * strangers cause. Throws CURRENT_PASSWORD_WRONG, GUESSES_LIMITED.
   */
  confirmPassword(actor: Actor, password: string): Promise<string>
}

export interface SignInParts {
  db: Database
  options: Options
  passwords: Passwords
  guesses: Guesses
  devices: Devices
  mail: Mail
  onFailure: (error: unknown) => void
}

export function createPasswordSignIn({
  db,
  options,
  passwords,
  guesses,
  devices,
  mail,
  onFailure,
}: SignInParts): PasswordSignIn {
  /** Begins a try; past the limit only for humans. */
  async function begin(subject: string, isHuman: () => Promise<boolean>): Promise<Guess> {
    try {
      return await guesses.begin(subject)
    } catch (error) {
      const isLimit = error instanceof GatewayError && error.code === 'GUESSES_LIMITED'
      if (!isLimit || !(await isHuman())) throw error
      return guesses.begin(subject, { isProven: true })
    }
  }

  /** The outcome of a check, which is counted. Takes at least REFUSAL_MS if the password is not accepted. */
  async function judge(guess: Guess, check: () => Promise<boolean>): Promise<{ fits: boolean; isNoticeDue: boolean }> {
    const began = performance.now()
    try {
      if (!(await check())) {
        const isNoticeDue = await guess.fail()
        await sleep(Math.max(0, REFUSAL_MS - (performance.now() - began)))
        return { fits: false, isNoticeDue }
      }
    } catch (error) {
      await guess.withdraw()
      throw error
    }
    await guess.withdraw()
    return { fits: true, isNoticeDue: false }
  }

  /** In the background: a mail server takes its time only for addresses that exist. */
  function notify({ email, username }: { email: string; username: string }): void {
    if (email === '' || options.get(OPTIONS.SMTPServer).trim() === '') return
    const letter = guessesLetter({ systemName: options.get(OPTIONS.SystemName), username })
    mail.send({ to: email, ...letter }).catch(onFailure)
  }

  async function login(
    { username, password }: { username: string; password: string },
    context: SignInContext = {},
  ): Promise<SignedIn> {
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
    const { device = '', isHuman = async () => false } = context
    const guess = await begin(subjectOf({ id: row?.id, name, device }), isHuman)
    let isOutdated = false
    const { fits, isNoticeDue } = await judge(guess, async () => {
      const checked = await passwords.check(row?.password, password)
      isOutdated = checked.outdated
      return checked.fits && row.status === USER_STATUS.enabled
    })
    if (!fits) {
      if (isNoticeDue && row?.status === USER_STATUS.enabled) notify(row)
      throw new GatewayError('CREDENTIALS_WRONG')
    }
    const { password: verified, ...fields } = row
    if (!isOutdated) return { user: toUser(fields), passwordHash: verified }
    const hash = await passwords.hash(password)
    const replaced = await db.transaction((trx) =>
      trx('users').where({ id: row.id, password: verified }).update({ password: hash }),
    )
    // Another login was faster, or the password is another by now: the row tells.
    return replaced ? { user: toUser(fields), passwordHash: hash } : login({ username, password }, context)
  }

  /**
   * What failures are counted by. An unknown name is counted like a known one, and mail addresses in any case:
   * the limit must not tell which of them exist.
   */
  function subjectOf({ id, name, device }: { id: number | undefined; name: string; device: string }): string {
    if (id === undefined) return `name ${name.includes('@') ? name.toLowerCase() : name}`
    const known = devices.nameOf(device, id)
    return known === undefined ? `account ${id}` : `device ${id} ${known}`
  }

  return {
    login,

    async confirmPassword({ id }, password) {
      const guess = await guesses.begin(`confirm ${id}`)
      const row = await db.reader('users').where({ id }).whereNull('deleted_at').first('password')
      const { fits } = await judge(guess, async () => (await passwords.check(row?.password, password)).fits)
      if (!fits) throw new GatewayError('CURRENT_PASSWORD_WRONG')
      return row.password
    },
  }
}

/** Throws CURRENT_PASSWORD_WRONG when that is not the stored hash any more; undefined: the change needs no password. The row must be locked. */
export async function requirePassword(
  trx: Knex.Transaction,
  id: number,
  passwordHash: string | undefined,
): Promise<void> {
  if (passwordHash === undefined) return
  const row = await trx('users').where({ id }).first('password')
  if (row?.password !== passwordHash) throw new GatewayError('CURRENT_PASSWORD_WRONG')
}
