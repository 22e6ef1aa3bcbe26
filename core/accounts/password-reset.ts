import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { resetLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'
import { randomHex } from '../secrets.ts'
import { endSessions } from '../sessions/sessions.ts'
import type { Verification } from '../verification/verification.ts'
import { emailOf, ofEmail, receiverOf } from './emails.ts'
import type { Passwords } from './passwords.ts'

const LINK_CODE_LENGTH = 32
const PASSWORD_LENGTH = 12

/** A new password for whoever reads the mails of an account. */
export interface PasswordReset {
  /** Mails a link. Throws INVALID_INPUT, EMAIL_INVALID, EMAIL_UNREGISTERED, MAIL_COOLDOWN, MAIL_UNCONFIGURED, MAIL_FAILED. */
  sendLink(email: string): Promise<void>
  /** Answers the new password, and signs the user out everywhere. Throws FIELD_REQUIRED, EMAIL_INVALID, RESET_INVALID. */
  reset(request: { email: string; token: string }): Promise<string>
}

export function createPasswordReset({
  db,
  options,
  passwords,
  verification,
  mail,
}: {
  db: Database
  options: Options
  passwords: Passwords
  verification: Verification
  mail: Mail
}): PasswordReset {
  return {
    async sendLink(address) {
      const email = receiverOf(address)
      const user = await db
        .reader('users')
        .where((query) => ofEmail(query, email))
        .whereNull('deleted_at')
        .first('email')
      if (!user) throw new GatewayError('EMAIL_UNREGISTERED')
      const token = await verification.issue('reset', email, LINK_CODE_LENGTH)
      const link = `${publicAddress(options)}/user/reset?${new URLSearchParams({ email: user.email, token })}`
      try {
        // To the address as it was proven, not as a stranger wrote it.
        await mail.send({ to: user.email, ...resetLetter({ systemName: options.get(OPTIONS.SystemName), link }) })
      } catch (error) {
        await verification.withdraw('reset', email, token)
        throw error
      }
    },

    async reset({ email: address, token }) {
      const email = emailOf(address)
      if (token === '') throw new GatewayError('FIELD_REQUIRED', { field: 'token' })
      const password = randomHex(PASSWORD_LENGTH)
      const hash = await passwords.hash(password)
      const changed = await db.transaction(async (trx) => {
        if (!(await verification.take(trx, 'reset', email, token))) return false
        const user = await trx('users')
          .where((query) => ofEmail(query, email))
          .whereNull('deleted_at')
          .forUpdate()
          .first('id')
        if (!user) return false
        await trx('users').where({ id: user.id }).update({ password: hash })
        await endSessions(trx, user.id)
        return true
      })
      if (!changed) throw new GatewayError('RESET_INVALID')
      return password
    },
  }
}
