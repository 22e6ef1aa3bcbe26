import { GATEWAY, ROLE } from '../actor.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { codeLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import type { Language } from '../messages/language.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { checkToken } from '../tokens/checks.ts'
import { insertToken } from '../tokens/insert.ts'
import type { VerificationCodes } from '../verification.ts'
import { codeError, emailOf, receiverOf, requireAllowedEmail, whereEmail } from './emails.ts'
import { usernameOf } from './fields.ts'
import { type RegistrationOrigin, sourcesOf } from './invite-sources.ts'
import { NAME_CHOICE, requireDistinctName } from './lookalikes.ts'
import { insertUser, type NewUserParts } from './new-user.ts'
import type { Passwords } from './passwords.ts'
import { withTakenErrors } from './taken.ts'

const MAIL_CODE_LENGTH = 6
/** Budget that the first key shows, although the key is unlimited. */
const FIRST_TOKEN_QUOTA = 500_000

export interface Applicant {
  username: string
  password: string
  /** Required, verified and stored only if the option EmailVerificationEnabled is on. */
  email?: string
  verification_code?: string
  /** The inviter's code; unknown codes are ignored. */
  aff_code?: string
}

/** Self-registration of users. */
export interface Registration {
  /**
   * Creates a common user, but no session. With `firstToken`, also creates an API key. With the option
   * InviteRewardOnce, `origin` earns rewards once. `language` is the language of mails to the user. Throws
   * REGISTER_DISABLED, PASSWORD_REGISTER_DISABLED, FIELD_*, PASSWORD_COMMON, EMAIL_REQUIRED, EMAIL_INVALID, CODE_WRONG,
   * USERNAME_TAKEN, USERNAME_LOOKALIKE, EMAIL_TAKEN.
   */
  register(
    applicant: Applicant,
    extras?: { firstToken?: boolean; origin?: RegistrationOrigin; language?: Language | undefined },
  ): Promise<void>
  /**
   * Mails a code that proves an address, for a registration or for `Profile.bindEmail`. Throws INVALID_INPUT,
   * EMAIL_INVALID, EMAIL_DOMAIN, EMAIL_ALIAS, EMAIL_TAKEN, MAIL_COOLDOWN, MAIL_UNCONFIGURED, MAIL_FAILED.
   */
  sendCode(email: string, language: Language): Promise<void>
}

export function createRegistration(
  parts: NewUserParts & {
    db: Database
    follower: Follower
    secrets: Secrets
    passwords: Passwords
    verification: VerificationCodes
    mail: Mail
  },
): Registration {
  const { db, follower, secrets, passwords, verification, mail, options, now } = parts

  /** Returns the address and code to verify, or undefined if registration requires no mail address. */
  function proofOf({ email = '', verification_code: code = '' }: Applicant) {
    if (!options.get(OPTIONS.EmailVerificationEnabled)) return undefined
    if (email.trim() === '' || code === '') throw new GatewayError('EMAIL_REQUIRED')
    return { email: emailOf(email), code }
  }

  return {
    async register(applicant, { firstToken = false, origin = {}, language } = {}) {
      if (!options.get(OPTIONS.RegisterEnabled)) throw new GatewayError('REGISTER_DISABLED')
      if (!options.get(OPTIONS.PasswordRegisterEnabled)) throw new GatewayError('PASSWORD_REGISTER_DISABLED')
      const username = usernameOf(applicant.username)
      const password = await passwords.hash(passwords.checkNew(applicant.password))
      const proof = proofOf(applicant)
      const row = {
        ...{ username, display_name: username, password, role: ROLE.common, group: 'default' },
        ...(language && { language }),
      }
      const quota = options.get(OPTIONS.QuotaForNewUser)
      const id = await withTakenErrors(username, () =>
        db.transaction(async (trx) => {
          if (proof && !(await verification.take(trx, 'email', proof.email, proof.code))) return undefined
          await db.serialize(trx, NAME_CHOICE)
          await requireDistinctName(trx, username)
          const ownerId = await insertUser(trx, parts, {
            row: proof ? { ...row, email: proof.email } : row,
            quota,
            actorId: GATEWAY.id,
            inviteCode: applicant.aff_code ?? '',
            sources: sourcesOf(origin, secrets),
          })
          if (firstToken) await insertToken(trx, { secrets, now }, { ownerId, row: firstTokenOf(username, now()) })
          return ownerId
        }),
      )
      if (id === undefined) throw await codeError(db.reader, proof?.email ?? '')
      await follower.catchUp()
    },

    async sendCode(address, language) {
      const email = receiverOf(address)
      requireAllowedEmail(email, options)
      const owner = await db
        .reader('users')
        .where((query) => whereEmail(query, email))
        .first('id')
      if (owner) throw new GatewayError('EMAIL_TAKEN')
      const code = await verification.issue('email', email, MAIL_CODE_LENGTH)
      try {
        await mail.send({ to: email, ...codeLetter({ systemName: options.get(OPTIONS.SystemName), code, language }) })
      } catch (error) {
        await verification.withdraw('email', email, code)
        throw error
      }
    },
  }
}

/** Returns the first key of a user. Sets the name after `checkToken`, because the name may exceed the input limit. */
function firstTokenOf(username: string, now: number): ReturnType<typeof checkToken> {
  const name = '初始令牌'
  const token = checkToken({ name, unlimited_quota: true, remain_quota: FIRST_TOKEN_QUOTA }, now)
  return { ...token, name: `${username}的${name}` }
}
