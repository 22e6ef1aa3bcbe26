import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { resetLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS, publicAddress } from '../options/registry.ts'
import { randomHex } from '../secrets.ts'
import type { Verification } from '../verification/verification.ts'
import { emailOf, ofEmail, receiverOf } from './emails.ts'
import type { Guesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke.ts'

const LINK_CODE_LENGTH = 32
const PASSWORD_LENGTH = 12
/** Links within an hour, for one mail address, known or not. */
const PER_ADDRESS_MAX = 5

/** A new password for whoever reads the mails of an account. */
export interface PasswordReset {
  /**
   * Mails a link. `clients`: who asks, with how many requests each may make within an hour. With the option
   * PasswordResetUniformReply, known and unknown addresses have the same outcome. Throws INVALID_INPUT, EMAIL_INVALID,
   * EMAIL_UNREGISTERED, RESET_LIMITED, MAIL_COOLDOWN, MAIL_UNCONFIGURED, MAIL_FAILED.
   */
  sendLink(email: string, clients?: readonly { key: string; max: number }[]): Promise<void>
  /**
   * Returns the new password. Signs the user out everywhere and voids the access token; with `revoke_keys` it deletes the API keys,
   * too. Throws FIELD_REQUIRED, EMAIL_INVALID, RESET_INVALID.
   */
  reset(request: { email: string; token: string; revoke_keys?: boolean }): Promise<{ userId: number; password: string }>
}

export function createPasswordReset({
  db,
  options,
  follower,
  guesses,
  passwords,
  verification,
  mail,
  now,
  onFailure,
}: {
  db: Database
  options: Options
  follower: Follower
  guesses: Guesses
  passwords: Passwords
  verification: Verification
  mail: Mail
  now: () => number
  onFailure: (error: unknown) => void
}): PasswordReset {
  const letterOf = (email: string, token: string) => {
    const link = `${publicAddress(options)}/user/reset?${new URLSearchParams({ email, token })}`
    return { to: email, ...resetLetter({ systemName: options.get(OPTIONS.SystemName), link }) }
  }

  return {
    async sendLink(address, clients = []) {
      const email = receiverOf(address)
      await guesses.spend([
        { subject: `reset ${email.toLowerCase()}`, max: PER_ADDRESS_MAX },
        ...clients.map(({ key, max }) => ({ subject: `reset by ${key}`, max })),
      ])
      const user = await db
        .reader('users')
        .where((query) => ofEmail(query, email))
        .whereNull('deleted_at')
        .first('email')
      const isUniform = options.get(OPTIONS.PasswordResetUniformReply)
      if (!user && !isUniform) throw new GatewayError('EMAIL_UNREGISTERED')
      // For an unknown address, too: the next request must have to wait as it has to for a known one.
      const token = await verification.issue('reset', email, LINK_CODE_LENGTH)
      if (isUniform) {
        // In the background: neither the time it takes nor its failure shows that there is an account.
        if (user) mail.send(letterOf(user.email, token)).catch(onFailure)
        return
      }
      try {
        // To the address as it was proven, not as a stranger wrote it.
        await mail.send(letterOf(user.email, token))
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
          .where((query) => ofEmail(query, email))
          .whereNull('deleted_at')
          .forUpdate()
          .first('id')
        if (!user) return undefined
        await trx('users').where({ id: user.id }).update({ password: hash })
        await revokeCredentials(trx, { userId: user.id, now: now(), keys })
        await recordChange(trx, 'user', [user.id])
        return user.id as number
      })
      if (userId === undefined) throw new GatewayError('RESET_INVALID')
      await follower.catchUp()
      return { userId, password }
    },
  }
}
