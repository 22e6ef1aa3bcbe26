import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { type Actor, USER_KIND, USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { guessesLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Devices } from './devices.ts'
import { mailLanguage, whereEmail } from './emails.ts'
import type { Guess, Guesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import { toUser, USER_ROW_COLUMNS, type User } from './user.ts'

/** Minimum duration of a failed check. It hides whether an account exists and how its password is hashed. */
const FAILED_CHECK_MS = 250

/** The user, and the stored hash that the password matched. A session begins only while this hash is still stored. */
interface SignedIn {
  user: User
  passwordHash: string
}

/** Details of a sign-in besides name and password. */
interface SignInContext {
  /** The value that `devices.issue` gave this browser after an earlier sign-in. */
  device?: string | undefined
  /** Called if earlier wrong passwords block this try. Returns whether a bot check was solved for this try. */
  isHuman?: () => Promise<boolean>
}

/** Proof of the current password: the stored hash that the password matched. A password change makes it invalid. */
export interface PasswordProof {
  passwordHash?: string | undefined
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

export function createPasswordSignIn(parts: SignInParts) {
  const { db, options, passwords, guesses, devices, mail, onFailure } = parts
  /** Begins a try. If earlier wrong passwords block the try, it requires a solved bot check. */
  async function begin(subject: string, isHuman: () => Promise<boolean>): Promise<Guess> {
    try {
      return await guesses.begin(subject)
    } catch (error) {
      const isLimit = error instanceof GatewayError && error.code === 'GUESSES_LIMITED'
      if (!isLimit || !(await isHuman())) throw error
      return guesses.begin(subject, { isProven: true })
    }
  }

  /** Runs a check and counts a failure (a wrong password or a disabled account). Takes FAILED_CHECK_MS or more. */
  async function runCheck(
    guess: Guess,
    check: () => Promise<boolean>,
  ): Promise<{ matches: boolean; isNoticeDue: boolean }> {
    const startedAt = performance.now()
    try {
      if (!(await check())) {
        const isNoticeDue = await guess.fail()
        await sleep(Math.max(0, FAILED_CHECK_MS - (performance.now() - startedAt)))
        return { matches: false, isNoticeDue }
      }
    } catch (error) {
      await guess.withdraw()
      throw error
    }
    await guess.withdraw()
    return { matches: true, isNoticeDue: false }
  }

  /** Mails the owner in the background, because waiting for the mail server would reveal that the address exists. */
  function notify({ email, username, language }: { email: string; username: string; language: string }): void {
    if (email === '' || options.get(OPTIONS.SMTPServer).trim() === '') return
    const systemName = options.get(OPTIONS.SystemName)
    const letter = guessesLetter({ systemName, username, language: mailLanguage(language) })
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
      .where((either) => either.where({ username: name }).orWhere((mail) => whereEmail(mail, name)))
      .where({ kind: USER_KIND.person })
      .whereNull('deleted_at')
      .orderBy('id')
      .first(...USER_ROW_COLUMNS, 'password', 'language')
    const { device = '', isHuman = async () => false } = context
    const guess = await begin(subjectOf({ id: row?.id, name, device }), isHuman)
    let isOutdated = false
    const { matches, isNoticeDue } = await runCheck(guess, async () => {
      const checked = await passwords.check(row?.password, password)
      isOutdated = checked.outdated
      return checked.matches && row.status === USER_STATUS.enabled
    })
    if (!matches) {
      if (isNoticeDue && row?.status === USER_STATUS.enabled) notify(row)
      throw new GatewayError('CREDENTIALS_WRONG')
    }
    const { password: storedHash, language: _, ...fields } = row
    if (!isOutdated) return { user: toUser(fields), passwordHash: storedHash }
    const hash = await passwords.hash(password)
    const replaced = await db.transaction((trx) =>
      trx('users').where({ id: row.id, password: storedHash }).update({ password: hash }),
    )
    // If the row changed meanwhile (another login or a new password), check against the new row.
    return replaced ? { user: toUser(fields), passwordHash: hash } : login({ username, password }, context)
  }

  /**
   * Returns the subject that failures are counted by. Failures for unknown names and addresses are counted like those
   * for known ones, so that a block does not reveal which ones exist. The query ignores the case of addresses, so
   * unknown addresses are counted in lower case.
   */
  function subjectOf({ id, name, device }: { id: number | undefined; name: string; device: string }): string {
    if (id === undefined) return `name ${name.includes('@') ? name.toLowerCase() : name}`
    const deviceName = devices.nameOf(device, id)
    return deviceName === undefined ? `account ${id}` : `device ${id} ${deviceName}`
  }

  return {
    /**
     * Returns the user for a name or mail address and a password, and the stored hash. Throws PASSWORD_LOGIN_DISABLED,
     * FIELD_REQUIRED, CREDENTIALS_EMPTY for a blank name, GUESSES_LIMITED, and CREDENTIALS_WRONG for every other
     * reason, so that the reason stays secret.
     */
    login,

    /**
     * Checks the actor's password and returns its stored hash. Failures are counted separately from those at sign-in,
     * which strangers can cause. Throws CURRENT_PASSWORD_WRONG, GUESSES_LIMITED.
     */
    async confirmPassword({ id }: Actor, password: string): Promise<string> {
      const guess = await guesses.begin(`confirm ${id}`)
      const row = await db.reader('users').where({ id }).whereNull('deleted_at').first('password')
      const { matches } = await runCheck(guess, async () => (await passwords.check(row?.password, password)).matches)
      if (!matches || row === undefined) throw new GatewayError('CURRENT_PASSWORD_WRONG')
      return row.password
    },
  }
}

/**
 * Throws CURRENT_PASSWORD_WRONG unless `passwordHash` is still the stored hash. An undefined `passwordHash` means that
 * the change needs no password. The row must be locked.
 */
export async function requirePassword(
  trx: Knex.Transaction,
  id: number,
  passwordHash: string | undefined,
): Promise<void> {
  if (passwordHash === undefined) return
  const row = await trx('users').where({ id }).first('password')
  if (row?.password !== passwordHash) throw new GatewayError('CURRENT_PASSWORD_WRONG')
}
