import type { Knex } from 'knex'
import { type Actor, mayManage, ROLE, requireRole } from '../actor.ts'
import type { AuditAction } from '../audit/actions.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { groupExists, requireGroup } from '../groups/groups.ts'
import { type Idempotency, madeBefore } from '../idempotency.ts'
import { oneOf, QUOTA_MAX, quotaAmount, wholeNumber } from '../input.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import type { Options } from '../options/options.ts'
import { ACTIONS, checkDeletable, outcomeOf } from './actions.ts'
import { displayNameOf, groupOf, usernameOf } from './fields.ts'
import { nameColumns } from './lookalikes.ts'
import type { NewUserParts } from './new-user.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke.ts'
import { type PasswordProof, requirePassword } from './sign-in.ts'
import { whereFree } from './taken.ts'
import { toUser, USER_COLUMNS, type User } from './user.ts'

/** What an administrator changes of a user; what is absent stays. */
export interface UserChanges {
  id: number
  username?: string
  display_name?: string
  group?: string
  /** The new balance. It may be below zero only if it is already there. */
  quota?: number
  /** How far below zero the balance may go, in quota. */
  debt_limit?: number
  /** Empty: as it is. */
  password?: string
  /** With a new password: the user's API keys are deleted, too. */
  revoke_keys?: boolean
  /** Never changed here, but a level at or above the own one is refused. */
  role?: number
}

/** What administrators do with the users below them; root also with its own row. All throw USER_NOT_FOUND. */
export interface Administration {
  /** Throws LEVEL_READ. */
  read(actor: Actor, id: number): Promise<User>
  /**
   * A new password signs the user out everywhere and voids the access token; its hash is answered, for `sessions.rotate`.
   * `passwordHash`: what the password of now was held against. Throws LEVEL_UPDATE, LEVEL_RAISE, USERNAME_TAKEN,
   * CURRENT_PASSWORD_WRONG, PASSWORD_COMMON, FIELD_*.
   */
  update(actor: Actor, changes: UserChanges, proof?: PasswordProof): Promise<string | undefined>
  /** One of ACTIONS; all but `enable` sign the user out everywhere and void the access token. Answers the user after it. Throws what `outcomeOf` throws, FIELD_CHOICE. */
  manage(actor: Actor, id: number, action: string): Promise<User>
  /** For good: the row goes, with sessions and keys; logs and ledger entries stay. Throws LEVEL_DELETE. */
  delete(actor: Actor, id: number): Promise<void>
  /** Sets a balance to a new value, with an entry that says who did it. Answers the user after it. Throws LEVEL_TOO_LOW. */
  setQuota(actor: Actor, id: number, quota: number): Promise<User>
  /**
   * Adds to a balance, or takes from it, whatever relays spend meanwhile. Answers the user after it. Throws LEVEL_UPDATE, and
   * FIELD_RANGE for what would leave less than nothing. Under an idempotency key it does so once, however often it is asked;
   * throws IDEMPOTENCY_KEY_* then.
   */
  adjustQuota(actor: Actor, id: number, by: number, idempotency?: Idempotency): Promise<User>
}

export function createAdministration({
  db,
  ledger,
  logs,
  follower,
  passwords,
  audit,
  options,
  now,
}: NewUserParts & { db: Database; follower: Follower; passwords: Passwords; audit: Audit }): Administration {
  const deletedAt = () => new Date(now() * 1000).toISOString()

  async function find(connection: Knex, id: number): Promise<User> {
    const row = await connection('users')
      .where({ id })
      .first(...USER_COLUMNS)
    if (!row) throw new GatewayError('USER_NOT_FOUND', { id })
    return toUser(row)
  }

  /** Locked until the end: levels and balance are what the decision saw. */
  async function lock(trx: Knex.Transaction, id: number): Promise<User> {
    await trx('users').where({ id }).forUpdate().first('id')
    return find(trx, id)
  }

  async function lockManaged(trx: Knex.Transaction, actor: Actor, id: number, refusal: ErrorCode): Promise<User> {
    const user = await lock(trx, id)
    if (user.DeletedAt !== null) throw new GatewayError('USER_NOT_FOUND', { id })
    if (!mayManage(actor, user)) throw new GatewayError(refusal)
    return user
  }

  /** The change, its entry and its log row; a relay that runs meanwhile waits for the row. */
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
      .update({ debt_limit: quotaAmount('debt_limit', limit) })
    await logs.write(trx, { type: 'admin', userId: id, username, text: 'debt-edit', quota: limit, before })
  }

  /** One user's row, with its rows of the audit. */
  const audited = (actor: Actor, action: AuditAction, id: number) => ({
    actor,
    action,
    kind: 'user' as const,
    rows: (rows: Knex.QueryBuilder) => rows.where({ id }),
  })

  async function changing(
    actor: Actor,
    action: AuditAction,
    id: number,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<User> {
    await db.transaction((trx) =>
      audit.around(trx, audited(actor, action, id), async () => {
        await work(trx)
        await recordChange(trx, 'user', [id])
      }),
    )
    await follower.catchUp()
    return find(db.reader, id)
  }

  return {
    async read(actor, id) {
      requireRole(actor, ROLE.admin)
      const user = await find(db.reader, idOf(id))
      if (user.DeletedAt !== null) throw new GatewayError('USER_NOT_FOUND', { id })
      if (!mayManage(actor, user)) throw new GatewayError('LEVEL_READ')
      return user
    },

    async update(actor, { id, role, password = '', revoke_keys: keys, ...fields }, { passwordHash } = {}) {
      requireRole(actor, ROLE.admin)
      const hash = password === '' ? undefined : await passwords.hash(passwords.checkNew(password))
      // Another process may have made the group a moment ago.
      if (fields.group !== undefined && !groupExists(options, fields.group)) await follower.catchUp()
      await whereFree((fields.username ?? '').trim(), () =>
        changing(actor, 'user.update', idOf(id), async (trx) => {
          const user = await lockManaged(trx, actor, id, 'LEVEL_UPDATE')
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

    async manage(actor, id, word) {
      requireRole(actor, ROLE.admin)
      const action = oneOf('action', word, ACTIONS)
      return changing(actor, 'user.manage', idOf(id), async (trx) => {
        const user = await lock(trx, id)
        const { deleted, ...changes } = outcomeOf(actor, user, action)
        // Deleted is deleted: nothing brings the account back.
        if (user.DeletedAt !== null) return
        await trx('users')
          .where({ id })
          .update(deleted ? { deleted_at: deletedAt() } : changes)
        // After a promotion, too: a stolen credential must not gain the new rights.
        if (action !== 'enable') await revokeCredentials(trx, { userId: id, now: now() })
      })
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      await db.transaction((trx) =>
        audit.around(trx, audited(actor, 'user.delete', idOf(id)), async () => {
          checkDeletable(actor, await lock(trx, id))
          await revokeCredentials(trx, { userId: id, now: now(), keys: true })
          await trx('users').where({ id }).delete()
          await recordChange(trx, 'user', [id])
        }),
      )
      await follower.catchUp()
    },

    async setQuota(actor, id, value) {
      requireRole(actor, ROLE.admin)
      const quota = quotaAmount('quota', value)
      return changing(actor, 'user.quota', idOf(id), async (trx) =>
        editQuota(trx, actor, await lockManaged(trx, actor, id, 'LEVEL_TOO_LOW'), quota),
      )
    },

    async adjustQuota(actor, id, by, idempotency) {
      requireRole(actor, ROLE.admin)
      wholeNumber('by', by, { min: -QUOTA_MAX, max: QUOTA_MAX })
      return changing(actor, 'user.quota', idOf(id), async (trx) => {
        const user = await lockManaged(trx, actor, id, 'LEVEL_UPDATE')
        const request = { change: 'adjust', user: id, by }
        if (await madeBefore(trx, { actor, request, now: now() }, idempotency)) return
        await editQuota(trx, actor, user, quotaAmount('quota', user.quota + by, Math.min(0, user.quota)))
      })
    },
  }
}

const ID_MAX = 2 ** 31 - 1

const idOf = (id: number): number => wholeNumber('id', id, { min: 1, max: ID_MAX })

/** A balance can be below zero already: whoever sends the whole record back does not change it. */
function quotaOf(user: User, quota: number): number {
  return quota === user.quota ? quota : quotaAmount('quota', quota)
}

/** What differs from the row. Names that a sign-in provider gave may be longer than what can be entered: unchanged, they stay. */
function checkChanges(
  user: User,
  { username, display_name, group }: Omit<UserChanges, 'id' | 'password' | 'role'>,
  options: Options,
) {
  return {
    ...(username !== undefined && username !== user.username && nameColumns(usernameOf(username))),
    ...(display_name !== undefined &&
      display_name !== user.display_name && { display_name: displayNameOf(display_name) }),
    ...(group !== undefined && group !== user.group && { group: requireGroup(options, groupOf(group)) }),
  }
}
