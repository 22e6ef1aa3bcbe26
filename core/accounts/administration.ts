import type { Knex } from 'knex'
import { type Actor, mayManage, ROLE, requireRole, USER_KIND } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { groupExists, requireGroup } from '../groups/groups.ts'
import { type Idempotency, wasExecuted } from '../idempotency.ts'
import { ID_MAX, oneOf, QUOTA_MAX, requireQuota, requireWholeNumber } from '../input.ts'
import { requireCommonRole } from '../management-keys/administrator.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import type { Options } from '../options/options.ts'
import { removeFromTeams } from '../teams/leaving.ts'
import { ACTIONS, actionOutcomeOf, checkDeletable } from './actions.ts'
import { displayNameOf, groupNameOf, usernameOf } from './fields.ts'
import { nameColumns } from './lookalikes.ts'
import type { NewUserParts } from './new-user.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke.ts'
import { type PasswordProof, requirePassword } from './sign-in.ts'
import { withTakenErrors } from './taken.ts'
import { toUser, USER_ROW_COLUMNS, type User } from './user.ts'

/** Changes that an administrator makes; absent fields keep their value. */
interface UserChanges {
  id: number
  username?: string
  display_name?: string
  group?: string
  /** The new balance. A negative value is accepted only if it is the current balance. */
  quota?: number
  /** Amount of quota by which the balance may fall below zero. */
  debt_limit?: number
  /** An empty password means no change. */
  password?: string
  /** Deletes the user's API keys if the password changes. */
  revoke_keys?: boolean
  /** Checked, but not stored. A role at or above the actor's is rejected, unless the user already has it. */
  role?: number
}

/** Operations on users with a lower role than the actor; root may also change its own row. All throw USER_NOT_FOUND. */
export function createAdministration(
  parts: NewUserParts & { db: Database; follower: Follower; passwords: Passwords; audit: Audit },
) {
  const { db, ledger, logs, follower, passwords, audit, options, now } = parts
  const deletedAt = () => new Date(now() * 1000).toISOString()

  async function getUser(connection: Knex, id: number): Promise<User> {
    const row = await connection('users')
      .where({ id, kind: USER_KIND.person })
      .first(...USER_ROW_COLUMNS)
    if (!row) throw new GatewayError('USER_NOT_FOUND', { id })
    return toUser(row)
  }

  /** Locks the row until the transaction ends, so that level and balance cannot change after they are read. */
  async function lock(trx: Knex.Transaction, id: number): Promise<User> {
    await trx('users').where({ id }).forUpdate().first('id')
    return getUser(trx, id)
  }

  async function lockManaged(trx: Knex.Transaction, actor: Actor, id: number, levelError: ErrorCode): Promise<User> {
    const user = await lock(trx, id)
    if (user.DeletedAt !== null) throw new GatewayError('USER_NOT_FOUND', { id })
    if (!mayManage(actor, user)) throw new GatewayError(levelError)
    return user
  }

  /** Writes the change of a balance, its ledger entry and its log row. */
  async function editQuota(trx: Knex.Transaction, actor: Actor, user: User, quota: number): Promise<void> {
    if (user.quota === quota) return
    const { id, username, quota: before } = user
    await spendKeyAmount(trx, actor, quota - before)
    await ledger.credit(trx, { userId: id, kind: 'edit', quota: quota - before, actorId: actor.id })
    await logs.write(trx, { type: 'admin', userId: id, username, text: 'quota-edit', quota, before })
  }

  async function editDebtLimit(
    trx: Knex.Transaction,
    actor: Actor,
    { id, username, debt_limit: before = 0 }: User,
    limit: number,
  ) {
    if (limit === before) return
    await spendKeyAmount(trx, actor, limit - before)
    await trx('users')
      .where({ id })
      .update({ debt_limit: requireQuota('debt_limit', limit) })
    await logs.write(trx, { type: 'admin', userId: id, username, text: 'debt-edit', quota: limit, before })
  }

  const auditOf = (actor: Actor, action: AuditAction, id: number) => ({
    actor,
    action,
    kind: 'user' as const,
    rows: (rows: Knex.QueryBuilder) => rows.where({ id }),
  })

  async function changeUser(
    actor: Actor,
    action: AuditAction,
    id: number,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<User> {
    await db.transaction((trx) =>
      audit.around(trx, auditOf(actor, action, id), async () => {
        await work(trx)
        await recordChange(trx, 'user', [id])
      }),
    )
    await follower.catchUp()
    return getUser(db.reader, id)
  }

  return {
    /** Returns a user. Throws LEVEL_READ. */
    async read(actor: Actor, id: number): Promise<User> {
      requireRole(actor, ROLE.admin)
      const user = await getUser(db.reader, idOf(id))
      if (user.DeletedAt !== null) throw new GatewayError('USER_NOT_FOUND', { id })
      if (!mayManage(actor, user)) throw new GatewayError('LEVEL_READ')
      return user
    },

    /**
     * Updates a user. A new password ends all sessions and voids the access token. Returns the hash of the new
     * password, for `sessions.rotate`. `proof` contains the result of `confirmPassword`. Throws LEVEL_UPDATE,
     * LEVEL_RAISE, KEY_ADMINISTRATOR, USERNAME_TAKEN, CURRENT_PASSWORD_WRONG, PASSWORD_COMMON, FIELD_*.
     */
    async update(
      actor: Actor,
      { id, role, password = '', revoke_keys: keys, ...fields }: UserChanges,
      { passwordHash }: PasswordProof = {},
    ): Promise<string | undefined> {
      requireRole(actor, ROLE.admin)
      const hash = password === '' ? undefined : await passwords.hash(passwords.checkNew(password))
      // Another process may have created the group, and this process may not have read it yet.
      if (fields.group !== undefined && !groupExists(options, fields.group)) await follower.catchUp()
      await withTakenErrors((fields.username ?? '').trim(), () =>
        changeUser(actor, 'user.update', idOf(id), async (trx) => {
          const user = await lockManaged(trx, actor, id, 'LEVEL_UPDATE')
          if (hash !== undefined) requireCommonRole(actor, user.role)
          if (role !== undefined && role >= actor.role && role !== user.role) throw new GatewayError('LEVEL_RAISE')
          const changes = { ...checkChanges(user, fields, options), ...(hash !== undefined && { password: hash }) }
          await requirePassword(trx, id, passwordHash)
          if (Object.keys(changes).length > 0) await trx('users').where({ id }).update(changes)
          if (hash !== undefined) await revokeCredentials(trx, { userId: id, now: now(), keys })
          if (fields.quota !== undefined) await editQuota(trx, actor, user, quotaOf(user, fields.quota))
          if (fields.debt_limit !== undefined) await editDebtLimit(trx, actor, user, fields.debt_limit)
        }),
      )
      return hash
    },

    /**
     * Runs one of ACTIONS and returns the updated user. All actions but `enable` end the user's sessions and void the
     * access token. Throws FIELD_CHOICE, KEY_ADMINISTRATOR and the errors of `actionOutcomeOf`.
     */
    async manage(actor: Actor, id: number, actionName: string): Promise<User> {
      requireRole(actor, ROLE.admin)
      const action = oneOf('action', actionName, ACTIONS)
      return changeUser(actor, 'user.manage', idOf(id), async (trx) => {
        const user = await lock(trx, id)
        const { deleted, ...changes } = actionOutcomeOf(actor, user, action)
        if (action === 'promote') requireCommonRole(actor, ROLE.admin)
        // Actions do not change a deleted account.
        if (user.DeletedAt !== null) return
        await trx('users')
          .where({ id })
          .update(deleted ? { deleted_at: deletedAt() } : changes)
        if (deleted) await removeFromTeams(trx, id, now())
        // Credentials are revoked after a promotion too, because a stolen credential must not gain the new rights.
        if (action !== 'enable') await revokeCredentials(trx, { userId: id, now: now() })
      })
    },

    /** Permanently deletes the user, sessions and keys; logs and ledger entries stay. Throws LEVEL_DELETE. */
    async delete(actor: Actor, id: number): Promise<void> {
      requireRole(actor, ROLE.admin)
      await db.transaction((trx) =>
        audit.around(trx, auditOf(actor, 'user.delete', idOf(id)), async () => {
          checkDeletable(actor, await lock(trx, id))
          await removeFromTeams(trx, id, now())
          await revokeCredentials(trx, { userId: id, now: now(), keys: true })
          await trx('users').where({ id }).delete()
          await recordChange(trx, 'user', [id])
        }),
      )
      await follower.catchUp()
    },

    /** Sets a balance, with a ledger entry that names the actor. Returns the updated user. Throws LEVEL_TOO_LOW. */
    async setQuota(actor: Actor, id: number, value: number): Promise<User> {
      requireRole(actor, ROLE.admin)
      const quota = requireQuota('quota', value)
      return changeUser(actor, 'user.quota', idOf(id), async (trx) =>
        editQuota(trx, actor, await lockManaged(trx, actor, id, 'LEVEL_TOO_LOW'), quota),
      )
    },

    /**
     * Adds `by`, which may be negative, to the current balance. Returns the updated user. Repeated calls with the same
     * idempotency key apply once. Throws LEVEL_UPDATE, FIELD_RANGE if the balance would be negative, IDEMPOTENCY_KEY_*.
     */
    async adjustQuota(actor: Actor, id: number, by: number, idempotency?: Idempotency): Promise<User> {
      requireRole(actor, ROLE.admin)
      requireWholeNumber('by', by, { min: -QUOTA_MAX, max: QUOTA_MAX })
      return changeUser(actor, 'user.quota', idOf(id), async (trx) => {
        const user = await lockManaged(trx, actor, id, 'LEVEL_UPDATE')
        const request = { change: 'adjust', user: id, by }
        if (await wasExecuted(trx, { actor, request, now: now() }, idempotency)) return
        await editQuota(trx, actor, user, requireQuota('quota', user.quota + by, Math.min(0, user.quota)))
      })
    },
  }
}

const idOf = (id: number): number => requireWholeNumber('id', id, { min: 1, max: ID_MAX })

/** Returns the new balance. The current balance is always allowed, because clients send the whole record back. */
function quotaOf(user: User, quota: number): number {
  return quota === user.quota ? quota : requireQuota('quota', quota)
}

/** Returns the fields that differ from the row. Checks only changed names: those of providers may be longer. */
function checkChanges(
  user: User,
  { username, display_name, group }: Omit<UserChanges, 'id' | 'password' | 'role'>,
  options: Options,
) {
  return {
    ...(username !== undefined && username !== user.username && nameColumns(usernameOf(username))),
    ...(display_name !== undefined &&
      display_name !== user.display_name && { display_name: displayNameOf(display_name) }),
    ...(group !== undefined && group !== user.group && { group: requireGroup(options, groupNameOf(group)) }),
  }
}
