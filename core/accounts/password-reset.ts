import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { resetLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Language } from '../messages/language.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'
import { randomHex } from '../secrets.ts'
import type { VerificationCodes } from '../verification.ts'
import { emailOf, receiverOf, whereEmail } from './emails.ts'
import type { Guesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke.ts'

const LINK_CODE_LENGTH = 32
const PASSWORD_LENGTH = 12
/** Maximum number of links per hour for one mail address, whether or not an account has it. */
const PER_ADDRESS_MAX = 5

/** Sets a new password for the owner of an account's mail address. */
export interface PasswordReset {
  /**
   * Mails a link for `reset`. Each key of `clients` may request at most `max` links per hour. With the option
   * PasswordResetUniformReply, known and unknown addresses have the same outcome. Throws INVALID_INPUT, EMAIL_INVALID,
   * EMAIL_UNREGISTERED, RESET_LIMITED, MAIL_COOLDOWN, MAIL_UNCONFIGURED, MAIL_FAILED.
   */
  sendLink(
    email: string,
    options: { language: Language; clients?: readonly { key: string; max: number }[] },
  ): Promise<void>
  /**
   * Sets and returns a new password. Ends the user's sessions and voids the access token; with `revoke_keys`, also
   * deletes the API keys. Throws FIELD_REQUIRED, EMAIL_INVALID, RESET_INVALID.
   */
  reset(request: { email: string; token: string; revoke_keys?: boolean }): Promise<{ userId: number; password: string }>
}

export function createPasswordReset(parts: {
  db: Database
  options: Options
  follower: Follower
  guesses: Guesses
  passwords: Passwords
  verification: VerificationCodes
  mail: Mail
  now: () => number
  onFailure: (error: unknown) => void
}): PasswordReset {
  const { db, options, follower, guesses, passwords, verification, mail, now, onFailure } = parts
  const messageOf = ({ email, token, language }: { email: string; token: string; language: Language }) => {
    const link = `${publicAddress(options)}/user/reset?${new URLSearchParams({ email, token })}`
    return { to: email, ...resetLetter({ systemName: options.get(OPTIONS.SystemName), link, language }) }
  }

  return {
    async sendLink(address, { language, clients = [] }) {
      const email = receiverOf(address)
      await guesses.countRequests([
        { subject: `reset ${email.toLowerCase()}`, max: PER_ADDRESS_MAX },
        ...clients.map(({ key, max }) => ({ subject: `reset by ${key}`, max })),
      ])
      const user = await db
        .reader('users')
        .where((query) => whereEmail(query, email))
        .whereNull('deleted_at')
        .first('email')
      const isUniform = options.get(OPTIONS.PasswordResetUniformReply)
      if (user === undefined && !isUniform) throw new GatewayError('EMAIL_UNREGISTERED')
      // Issue a code for an unknown address too, so that the next request has the same cooldown as for a known one.
      const token = await verification.issue('reset', email, LINK_CODE_LENGTH)
      if (user === undefined) return
      if (isUniform) {
        // Send in the background, so that neither the duration nor a failure reveals that the account exists.
        mail.send(messageOf({ email: user.email, token, language })).catch(onFailure)
        return
      }
      try {
        // Send to the stored address, because the request may have another case, which can name another mailbox.
        await mail.send(messageOf({ email: user.email, token, language }))
      } catch (error) {
        await verification.withdraw('reset', email, token)
        throw error
      }
    },

    async reset({ email: address, token, revoke_keys: keys }) {
      const email = emailOf(address)
      if (token === '') throw new GatewayError('FIELD_REQUIRED', { field: 'token' })
      const password = randomHex(PASSWORD_LENGTH)
      const hash = await passwords.hash(password)
      const userId = await db.transaction(async (trx) => {
        if (!(await verification.take(trx, 'reset', email, token))) return undefined
        const user = await trx('users')
          .where((query) => whereEmail(query, email))
          .whereNull('deleted_at')
          .forUpdate()
          .first('id')
        if (!user) return undefined
        await trx('users').where({ id: user.id }).update({ password: hash })
        await revokeCredentials(trx, { userId: user.id, now: now(), keys })
        await recordChange(trx, 'user', [user.id])
        return user.id
      })
      if (userId === undefined) throw new GatewayError('RESET_INVALID')
      await follower.catchUp()
      return { userId, password }
    },
  }
}
