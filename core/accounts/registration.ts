import { GATEWAY, ROLE } from '../actor.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { codeLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { checkToken } from '../tokens/checks.ts'
import { insertToken } from '../tokens/insert.ts'
import type { Verification } from '../verification/verification.ts'
import { codeRefusal, emailOf, ofEmail, receiverOf, requireWelcome } from './emails.ts'
import { usernameOf } from './fields.ts'
import { type Origin, sourcesOf } from './invite-sources.ts'
import { NAME_CHOICE, requireDistinctName } from './lookalikes.ts'
import { insertUser, type NewUserParts } from './new-user.ts'
import type { Passwords } from './passwords.ts'
import { whereFree } from './taken.ts'

const MAIL_CODE_LENGTH = 6
/** The budget a first key shows; the key is unlimited. */
const FIRST_TOKEN_QUOTA = 500_000

export interface Applicant {
  username: string
  password: string
  /** Asked for, proven and stored only while the option EmailVerificationEnabled is on. */
  email?: string
  verification_code?: string
  /** The inviter's code; an unknown one counts for nothing. */
  aff_code?: string
}

/** How people make accounts for themselves. */
export interface Registration {
  /**
   * Makes a common user, who has yet to sign in. `firstToken`: with an API key. `origin` earns the rewards of an invitation once. Throws REGISTER_DISABLED,
   * PASSWORD_REGISTER_DISABLED, FIELD_*, PASSWORD_COMMON, EMAIL_REQUIRED, EMAIL_INVALID, CODE_WRONG, USERNAME_TAKEN,
   * USERNAME_LOOKALIKE, EMAIL_TAKEN.
   */
  register(applicant: Applicant, extras?: { firstToken?: boolean; origin?: Origin }): Promise<void>
  /**
   * Mails a code that proves an address, for a registration or for one's own account. Throws INVALID_INPUT,
   * EMAIL_INVALID, EMAIL_DOMAIN, EMAIL_ALIAS, EMAIL_TAKEN, MAIL_COOLDOWN, MAIL_UNCONFIGURED, MAIL_FAILED.
   */
  sendCode(email: string): Promise<void>
}

export function createRegistration({
  db,
  follower,
  secrets,
  passwords,
  verification,
  mail,
  ...parts
}: NewUserParts & {
  db: Database
  follower: Follower
  secrets: Secrets
  passwords: Passwords
  verification: Verification
  mail: Mail
}): Registration {
  const { options, now } = parts

  /** What a registration must prove; undefined while mail addresses are not asked for. */
  function proofOf({ email = '', verification_code: code = '' }: Applicant) {
    if (!options.get(OPTIONS.EmailVerificationEnabled)) return undefined
    if (email.trim() === '' || code === '') throw new GatewayError('EMAIL_REQUIRED')
    return { email: emailOf(email), code }
  }

  return {
    async register(applicant, { firstToken = false, origin = {} } = {}) {
      if (!options.get(OPTIONS.RegisterEnabled)) throw new GatewayError('REGISTER_DISABLED')
      if (!options.get(OPTIONS.PasswordRegisterEnabled)) throw new GatewayError('PASSWORD_REGISTER_DISABLED')
      const username = usernameOf(applicant.username)
      const password = await passwords.hash(passwords.checkNew(applicant.password))
      const proof = proofOf(applicant)
      const row = { username, display_name: username, password, role: ROLE.common, group: 'default' }
      const quota = options.get(OPTIONS.QuotaForNewUser)
      const id = await whereFree(username, () =>
        db.transaction(async (trx) => {
          if (proof && !(await verification.take(trx, 'email', proof.email, proof.code))) return undefined
          await db.alone(trx, NAME_CHOICE)
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
      if (id === undefined) throw await codeRefusal(db.reader, proof?.email ?? '')
      await follower.catchUp()
    },

    async sendCode(address) {
      const email = receiverOf(address)
      requireWelcome(email, options)
      const owner = await db
        .reader('users')
        .where((query) => ofEmail(query, email))
        .first('id')
      if (owner) throw new GatewayError('EMAIL_TAKEN')
      const code = await verification.issue('email', email, MAIL_CODE_LENGTH)
      try {
        await mail.send({ to: email, ...codeLetter({ systemName: options.get(OPTIONS.SystemName), code }) })
      } catch (error) {
        await verification.withdraw('email', email, code)
        throw error
      }
    },
  }
}

/** Its documented name may be longer than what can be entered. */
function firstTokenOf(username: string, now: number): ReturnType<typeof checkToken> {
  const name = '初始令牌'
  const token = checkToken({ name, unlimited_quota: true, remain_quota: FIRST_TOKEN_QUOTA }, now)
  return { ...token, name: `${username}的${name}` }
}
