import type { Knex } from 'knex'
import { type Actor, mayManage, ROLE, requireRole } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { type Idempotency, madeBefore } from '../idempotency.ts'
import { oneOf, QUOTA_MAX, quotaAmount, wholeNumber } from '../input.ts'
import { endSessions } from '../sessions/sessions.ts'
import { ACTIONS, checkDeletable, outcomeOf } from './actions.ts'
import { displayNameOf, groupOf, newPasswordOf, usernameOf } from './fields.ts'
import type { NewUserParts } from './new-user.ts'
import type { Passwords } from './passwords.ts'
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
  /** Never changed here, but a level at or above the own one is refused. */
  role?: number
}

/** What administrators do with the users below them; root also with its own row. All throw USER_NOT_FOUND. */
export interface Administration {
  /** Throws LEVEL_READ. */
  read(actor: Actor, id: number): Promise<User>
  /**
   * A new password signs the user out everywhere; its hash is answered, for `sessions.rotate`. Throws LEVEL_UPDATE,
   * LEVEL_RAISE, USERNAME_TAKEN, FIELD_*.
   */
  update(actor: Actor, changes: UserChanges): Promise<string | undefined>
  /** One of ACTIONS; all but `enable` sign the user out everywhere. Answers the user after it. Throws what `outcomeOf` throws, FIELD_CHOICE. */
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
  now,
}: NewUserParts & { db: Database; follower: Follower; passwords: Passwords }): Administration {
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
    await ledger.credit(trx, { userId: id, kind: 'edit', quota: quota - before, actorId: actor.id })
    await logs.write(trx, { type: 'admin', userId: id, username, text: 'quota-edit', quota, before })
  }

  async function editDebtLimit(trx: Knex.Transaction, { id, username, debt_limit: before = 0 }: User, limit: number) {
    if (limit === before) return
    await trx('users')
      .where({ id })
      .update({ debt_limit: quotaAmount('debt_limit', limit) })
    await logs.write(trx, { type: 'admin', userId: id, username, text: 'debt-edit', quota: limit, before })
  }

  async function changing(work: (trx: Knex.Transaction) => Promise<number>): Promise<User> {
    const id = await db.transaction(async (trx) => {
      const changed = await work(trx)
      await recordChange(trx, 'user', [changed])
      return changed
    })
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

    async update(actor, { id, role, password = '', ...fields }) {
      requireRole(actor, ROLE.admin)
      const hash = password === '' ? undefined : await passwords.hash(newPasswordOf(password))
      await whereFree((fields.username ?? '').trim(), () =>
        changing(async (trx) => {
          const user = await lockManaged(trx, actor, idOf(id), 'LEVEL_UPDATE')
          if (role !== undefined && role >= actor.role && role !== user.role) throw new GatewayError('LEVEL_RAISE')
          const changes = { ...checkChanges(user, fields), ...(hash !== undefined && { password: hash }) }
          if (Object.keys(changes).length > 0) await trx('users').where({ id }).update(changes)
          if (hash !== undefined) await endSessions(trx, id)
          if (fields.quota !== undefined) await editQuota(trx, actor, user, quotaOf(user, fields.quota))
          if (fields.debt_limit !== undefined) await editDebtLimit(trx, user, fields.debt_limit)
          return id
        }),
      )
      return hash
    },

    async manage(actor, id, word) {
      requireRole(actor, ROLE.admin)
      const action = oneOf('action', word, ACTIONS)
      return changing(async (trx) => {
        const user = await lock(trx, idOf(id))
        const { deleted, ...changes } = outcomeOf(actor, user, action)
        // Deleted is deleted: nothing brings the account back.
        if (user.DeletedAt !== null) return id
        await trx('users')
          .where({ id })
          .update(deleted ? { deleted_at: deletedAt() } : changes)
        if (action !== 'enable') await endSessions(trx, id)
        return id
      })
    },

    async delete(actor, id) {
      requireRole(actor, ROLE.admin)
      await db.transaction(async (trx) => {
        checkDeletable(actor, await lock(trx, idOf(id)))
        const keys = trx('tokens').where({ user_id: id }).whereNull('deleted_at')
        const tokenIds: number[] = await keys.clone().orderBy('id').forUpdate().pluck('id')
        await keys.update({ deleted_at: deletedAt() })
        await endSessions(trx, id)
        await trx('users').where({ id }).delete()
        await recordChange(trx, 'token', tokenIds)
        await recordChange(trx, 'user', [id])
      })
      await follower.catchUp()
    },

    async setQuota(actor, id, value) {
      requireRole(actor, ROLE.admin)
      const quota = quotaAmount('quota', value)
      return changing(async (trx) => {
        await editQuota(trx, actor, await lockManaged(trx, actor, idOf(id), 'LEVEL_TOO_LOW'), quota)
        return id
      })
    },

    async adjustQuota(actor, id, by, idempotency) {
      requireRole(actor, ROLE.admin)
      wholeNumber('by', by, { min: -QUOTA_MAX, max: QUOTA_MAX })
      return changing(async (trx) => {
        const user = await lockManaged(trx, actor, idOf(id), 'LEVEL_UPDATE')
        const request = { change: 'adjust', user: id, by }
        if (await madeBefore(trx, { actor, request, now: now() }, idempotency)) return id
        await editQuota(trx, actor, user, quotaAmount('quota', user.quota + by, Math.min(0, user.quota)))
        return id
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
function checkChanges(user: User, { username, display_name, group }: Omit<UserChanges, 'id' | 'password' | 'role'>) {
  return {
    ...(username !== undefined && username !== user.username && { username: usernameOf(username) }),
    ...(display_name !== undefined &&
      display_name !== user.display_name && { display_name: displayNameOf(display_name) }),
    ...(group !== undefined && group !== user.group && { group: groupOf(group) }),
  }
}
