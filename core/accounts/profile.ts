import { type Actor, ROLE } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { type Idempotency, wasExecuted } from '../idempotency.ts'
import { QUOTA_MAX, requireWholeNumber } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { quotaDisplay } from '../logs/quota-display.ts'
import { quotaText } from '../logs/texts.ts'
import type { Language } from '../messages/language.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { removeFromTeams, requireNoTeams } from '../teams/leaving.ts'
import type { VerificationCodes } from '../verification.ts'
import type { AccessTokens } from './access-tokens.ts'
import { codeError, emailOf } from './emails.ts'
import { displayNameOf, usernameOf } from './fields.ts'
import { NAME_CHOICE, nameColumns, requireDistinctName } from './lookalikes.ts'
import { newInviteCode } from './new-user.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke.ts'
import { type PasswordProof, requirePassword } from './sign-in.ts'
import { takenColumn, withTakenErrors } from './taken.ts'
import { toUser, USER_ROW_COLUMNS, type User } from './user.ts'

const INVITE_CODE_TRIES = 10

/** Operations of users on their own account. */
export interface Profile {
  /** Returns the actor's row, with the access token. Throws USER_NOT_FOUND. */
  get(actor: Actor): Promise<User>
  /**
   * Updates the fields that are not empty. A new password ends all sessions and voids the access token; with
   * `revoke_keys`, it also deletes the API keys. Returns the hash of a new password for `sessions.rotate`. `proof`
   * contains the result of `confirmPassword`. Throws FIELD_*, PASSWORD_COMMON, CURRENT_PASSWORD_WRONG, USERNAME_TAKEN,
   * USERNAME_LOOKALIKE, USER_NOT_FOUND.
   */
  update(
    actor: Actor,
    changes: {
      username?: string
      display_name?: string
      /** Language of mails to the user. */
      language?: Language
      password?: string
      revoke_keys?: boolean
    },
    proof?: PasswordProof,
  ): Promise<string | undefined>
  /** Marks the account as deleted; name and address stay taken. Throws ROOT_DELETE_SELF, TEAM_OWNED, USER_NOT_FOUND. */
  delete(actor: Actor): Promise<void>
  /** Returns the actor's invite code. Creates a code if the actor has none. Throws USER_NOT_FOUND. */
  inviteCode(actor: Actor): Promise<string>
  /**
   * Moves invite earnings to the balance. Repeated calls with the same idempotency key move them once. Throws FIELD_*,
   * INVITE_MINIMUM {minimum, minimum_en}, INVITE_INSUFFICIENT, IDEMPOTENCY_KEY_*.
   */
  transferInvites(actor: Actor, quota: number, idempotency?: Idempotency): Promise<void>
  /** Stores a mail address, proved by a mailed code. Throws EMAIL_INVALID, CODE_WRONG, EMAIL_TAKEN, USER_NOT_FOUND. */
  bindEmail(actor: Actor, proof: { email: string; code: string }): Promise<void>
}

export function createProfile(parts: {
  db: Database
  ledger: Ledger
  options: Options
  follower: Follower
  passwords: Passwords
  verification: VerificationCodes
  accessTokens: AccessTokens
  now: () => number
}): Profile {
  const { db, ledger, options, follower, passwords, verification, accessTokens, now } = parts
  const userNotFound = ({ id }: Actor) => new GatewayError('USER_NOT_FOUND', { id })

  function requireMinimum(quota: number): void {
    const quotaPerUnit = options.get(OPTIONS.QuotaPerUnit)
    if (quota > 0 && quota >= quotaPerUnit) return
    const display = quotaDisplay(options)
    throw new GatewayError('INVITE_MINIMUM', {
      minimum: quotaText(quotaPerUnit, display),
      minimum_en: quotaText(quotaPerUnit, display, 'en'),
    })
  }

  return {
    async get(actor) {
      const row = await db
        .reader('users')
        .where({ id: actor.id })
        .whereNull('deleted_at')
        .first(...USER_ROW_COLUMNS)
      if (!row) throw userNotFound(actor)
      return { ...toUser(row), access_token: await accessTokens.own(actor) }
    },

    async update(
      actor,
      { username = '', display_name = '', language, password = '', revoke_keys: keys },
      { passwordHash } = {},
    ) {
      const hash = password === '' ? undefined : await passwords.hash(passwords.checkNew(password))
      await withTakenErrors(username.trim(), () =>
        db.transaction(async (trx) => {
          // Take this lock before any row lock, in the same order as registrations.
          if (username.trim() !== '') await db.serialize(trx, NAME_CHOICE)
          const ownRow = trx('users').where({ id: actor.id }).whereNull('deleted_at')
          const before = await ownRow.clone().forUpdate().first('username', 'display_name', 'language')
          if (!before) throw userNotFound(actor)
          // Check only changed names, because stored names from a sign-in provider may exceed the input limit.
          const changes = {
            ...(username.trim() !== '' && username !== before.username && nameColumns(usernameOf(username))),
            ...(display_name.trim() !== '' &&
              display_name !== before.display_name && { display_name: displayNameOf(display_name) }),
            ...(language !== undefined && language !== before.language && { language }),
            ...(hash !== undefined && { password: hash }),
          }
          if (Object.keys(changes).length === 0) return
          if (changes.username !== undefined) await requireDistinctName(trx, changes.username, actor.id)
          await requirePassword(trx, actor.id, passwordHash)
          await ownRow.update(changes)
          if (hash !== undefined) await revokeCredentials(trx, { userId: actor.id, now: now(), keys })
          await recordChange(trx, 'user', [actor.id])
        }),
      )
      await follower.catchUp()
      return hash
    },

    async delete(actor) {
      await db.transaction(async (trx) => {
        const ownRow = trx('users').where({ id: actor.id }).whereNull('deleted_at')
        const user = await ownRow.clone().forUpdate().first('role')
        if (!user) throw userNotFound(actor)
        if (user.role >= ROLE.root) throw new GatewayError('ROOT_DELETE_SELF')
        await requireNoTeams(trx, actor.id)
        await removeFromTeams(trx, actor.id, now())
        await ownRow.update({ deleted_at: new Date(now() * 1000).toISOString() })
        await revokeCredentials(trx, { userId: actor.id, now: now() })
        await recordChange(trx, 'user', [actor.id])
      })
      await follower.catchUp()
    },

    async inviteCode(actor) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await db.transaction(async (trx) => {
            const ownRow = trx('users').where({ id: actor.id }).whereNull('deleted_at')
            const user = await ownRow.clone().forUpdate().first('aff_code')
            if (!user) throw userNotFound(actor)
            if (user.aff_code) return user.aff_code
            const aff_code = newInviteCode(attempt)
            await ownRow.update({ aff_code })
            return aff_code
          })
        } catch (error) {
          if (takenColumn(error) !== 'aff_code' || attempt === INVITE_CODE_TRIES) throw error
        }
      }
    },

    async transferInvites(actor, amount, idempotency) {
      const quota = requireWholeNumber('quota', amount, { min: -QUOTA_MAX, max: QUOTA_MAX })
      await db.transaction(async (trx) => {
        const { id } = actor
        const request = { change: 'transfer', quota }
        // Lock the user's row before the idempotency key, as other balance changes do. Another order could deadlock.
        await trx('users').where({ id }).forUpdate().first('id')
        // Look for an earlier request before checking the minimum, which may have been raised since the earlier
        // request.
        if (await wasExecuted(trx, { actor, request, now: now() }, idempotency)) return
        requireMinimum(quota)
        // The UPDATE checks the amount, so concurrent transfers cannot move the same earnings.
        const rows = await trx('users').where({ id }).where('aff_quota', '>=', quota).decrement('aff_quota', quota)
        if (rows === 0) throw new GatewayError('INVITE_INSUFFICIENT')
        await ledger.credit(trx, { userId: id, kind: 'transfer', quota, actorId: id })
      })
    },

    async bindEmail(actor, { email: address, code }) {
      const email = emailOf(address)
      const bound = await withTakenErrors('', () =>
        db.transaction(async (trx) => {
          if (!(await verification.take(trx, 'email', email, code))) return false
          const changedRows = await trx('users').where({ id: actor.id }).whereNull('deleted_at').update({ email })
          if (changedRows === 0) throw userNotFound(actor)
          await recordChange(trx, 'user', [actor.id])
          return true
        }),
      )
      if (!bound) throw await codeError(db.reader, email, actor.id)
      await follower.catchUp()
    },
  }
}
