import type { Knex } from 'knex'
import { type Actor, mayCreate, ROLE, requireRole, USER_KIND, USER_STATUS } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { whereContains } from '../db/like.ts'
import { NEWEST_FIRST, orderOf, readPage, type Sort } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { groupExists, requireGroup } from '../groups/groups.ts'
import { type Page, type Paging, requireQuota, requireText, requireWholeNumber } from '../input.ts'
import { requireCommonRole } from '../management-keys/administrator.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import type { Language } from '../messages/language.ts'
import { OPTIONS } from '../options/registry.ts'
import { ROOT_PASSWORD_LENGTH } from '../setting-parsers.ts'
import { createAdministration } from './administration.ts'
import { mailLanguage } from './emails.ts'
import { displayNameOf, groupNameOf, usernameOf } from './fields.ts'
import { freeUsername, NAME_CHOICE } from './lookalikes.ts'
import { insertUser, type NewUserParts } from './new-user.ts'
import { isCommonPassword } from './passwords.ts'
import { createPasswordSignIn, type SignInParts } from './sign-in.ts'
import { withTakenErrors } from './taken.ts'
import { toUser, USER_ROW_COLUMNS, type User } from './user.ts'

export interface NewUser {
  username: string
  password: string
  display_name?: string
  role?: number
  /** Start balance. The default is the option QuotaForNewUser. */
  quota?: number
  group?: string
}

/** Columns that users can be sorted by. */
export const USER_SORTS = [
  'id',
  'username',
  'group',
  'quota',
  'used_quota',
  'request_count',
  'aff_count',
  'role',
  'status',
] as const

/** Absent or empty filters match all users. */
export interface UserQuery extends Paging, Sort<(typeof USER_SORTS)[number]> {
  /** A part of a name or mail address, or an id. */
  keyword?: string
  group?: string
  role?: number
  status?: number
  /** true: only deleted users; false: only users that are not deleted. Default: all users; with `status`, false. */
  deleted?: boolean
}

export type Accounts = ReturnType<typeof createAccounts>

export interface MailReceiver {
  readonly email: string
  readonly language: Language
}

/** Options whose initial values are stored in a new database. */
const NEW_DATABASE_OPTIONS = Object.values(OPTIONS).flatMap(({ key, initial: value }) =>
  value === undefined ? [] : [{ key, value }],
)

export function createAccounts(
  parts: NewUserParts & Omit<SignInParts, 'options'> & { follower: Follower; audit: Audit },
) {
  const { db, follower, passwords, audit, options } = parts
  const administration = createAdministration(parts)

  async function getUser(where: { id: number } | { username: string }): Promise<User> {
    const row = await db
      .reader('users')
      .where({ ...where, kind: USER_KIND.person })
      .whereNull('deleted_at')
      .first(...USER_ROW_COLUMNS)
    if (!row) throw new GatewayError('USER_NOT_FOUND', { id: Object.values(where)[0] })
    return toUser(row)
  }

  async function create(actor: Actor, input: NewUser): Promise<User> {
    requireRole(actor, ROLE.admin)
    const username = usernameOf(input.username)
    const password = passwords.checkNew(input.password)
    const display_name = displayNameOf(input.display_name ?? '') || username
    const role = requireWholeNumber('role', input.role ?? ROLE.common, { min: 1, max: ROLE.root })
    const quota = requireQuota('quota', input.quota ?? options.get(OPTIONS.QuotaForNewUser))
    const group = groupNameOf(input.group ?? 'default')
    // Another process may have created the group, and this process may not have read it yet.
    if (!groupExists(options, group)) await follower.catchUp()
    requireGroup(options, group)
    if (!mayCreate(actor, role)) throw new GatewayError('LEVEL_CREATE')
    requireCommonRole(actor, role)
    const row = { username, display_name, role, group, password: await passwords.hash(password) }
    const id = await withTakenErrors(username, () =>
      db.transaction((trx) =>
        audit.around(
          trx,
          { actor, action: 'user.create', kind: 'user' },
          async () => {
            await spendKeyAmount(trx, actor, quota)
            return insertUser(trx, parts, { row, quota, actorId: actor.id })
          },
          (userId) => [userId],
        ),
      ),
    )
    await follower.catchUp()
    return getUser({ id })
  }

  return {
    ...administration,
    ...createPasswordSignIn(parts),
    /** Creates a user. Throws LEVEL_CREATE, KEY_ADMINISTRATOR, USERNAME_TAKEN, PASSWORD_COMMON, FIELD_*. */
    create,

    /**
     * Creates a user with the common role. `role` is not stored. Throws LEVEL_CREATE if `role` is not below the actor's
     * role. Throws the errors of `create`.
     */
    async createCommon(
      actor: Actor,
      {
        username,
        password,
        display_name = '',
        role = ROLE.common,
      }: Pick<NewUser, 'username' | 'password' | 'display_name' | 'role'>,
    ): Promise<User> {
      if (!mayCreate(actor, role)) throw new GatewayError('LEVEL_CREATE')
      return create(actor, { username, password, display_name })
    },

    /** Returns a user. Throws USER_NOT_FOUND, LEVEL_READ. */
    async get(actor: Actor, id: number): Promise<User> {
      return actor.id === id ? getUser({ id }) : administration.read(actor, id)
    },

    /** Returns a user by name. Throws USER_NOT_FOUND, LEVEL_READ, PERMISSION_DENIED. */
    async getByName(actor: Actor, username: string): Promise<User> {
      if (actor.role < ROLE.admin) {
        // Common users get the same error for another user's name as for a missing name.
        const ownUser = await getUser({ id: actor.id })
        if (ownUser.username !== username) throw new GatewayError('PERMISSION_DENIED')
        return ownUser
      }
      const user = await getUser({ username })
      return actor.id === user.id ? user : administration.read(actor, user.id)
    },

    /** Returns a page of users, newest first. Only root sees root users. */
    async list(actor: Actor, query: UserQuery = {}): Promise<Page<User>> {
      requireRole(actor, ROLE.admin)
      const { keyword = '', group = '', role, status, deleted = status === undefined ? undefined : false } = query
      const matching = db.reader('users').modify((where) => {
        where.where({ kind: USER_KIND.person })
        if (actor.role < ROLE.root) where.where('role', '<', ROLE.root)
        if (group) where.where({ group })
        if (role !== undefined) where.where({ role })
        if (status !== undefined) where.where({ status })
        if (deleted !== undefined) where[deleted ? 'whereNotNull' : 'whereNull']('deleted_at')
        if (!keyword) return
        where.where((either) => {
          for (const column of ['username', 'email', 'display_name']) {
            either.orWhere((one) => whereContains(one, column, keyword))
          }
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('id', Number(keyword))
        })
      })
      const page = await readPage<Parameters<typeof toUser>[0]>(matching, query, {
        columns: USER_ROW_COLUMNS,
        order: orderOf(query, NEWEST_FIRST),
      })
      const ids = page.items.map(({ id }) => id)
      const active = await lastActiveOf(db, ids)
      return { ...page, items: page.items.map((row) => ({ ...toUser(row), last_active: active.get(row.id) ?? 0 })) }
    },

    /**
     * Creates the root user if there is none. A taken name gets a number as a suffix. Returns the user, or undefined if
     * there is a root user already. Throws PASSWORD_COMMON, FIELD_*.
     */
    async createRoot(value: string, username = 'root'): Promise<User | undefined> {
      const password = requireText('ROOT_PASSWORD', value, ROOT_PASSWORD_LENGTH)
      if (isCommonPassword(password)) throw new GatewayError('PASSWORD_COMMON')
      const hash = await passwords.hash(password)
      const id = await db.transaction(async (trx) => {
        // If many processes start at once, only one creates the user.
        await db.serialize(trx, 'first user')
        const persons = () => trx('users').where({ kind: USER_KIND.person }).whereNull('deleted_at')
        if (await persons().where({ role: ROLE.root }).first('id')) return undefined
        // An import may have created users, but no root user. Then the database is not new.
        const isNew = (await persons().first('id')) === undefined
        if (isNew) await storeNewDatabaseOptions(trx)
        await db.serialize(trx, NAME_CHOICE)
        const row = {
          username: await freeUsername(trx, username),
          display_name: 'Root User',
          role: ROLE.root,
          group: 'default',
          password: hash,
        }
        return insertUser(trx, parts, { row, quota: ROOT_QUOTA, actorId: 0 })
      })
      await follower.catchUp()
      return id === undefined ? undefined : getUser({ id })
    },

    /** Returns the root user with the lowest id. Commands on the local database act as this user. */
    async findRoot(): Promise<User | undefined> {
      const row = await db
        .reader('users')
        .where({ role: ROLE.root })
        .whereNull('deleted_at')
        .orderBy('id')
        .first(...USER_ROW_COLUMNS)
      return row && toUser(row)
    },

    /** Returns the mail addresses of all enabled root users, with the language of their mails. */
    async rootReceivers(): Promise<MailReceiver[]> {
      const rows: { email: string; language: string }[] = await db
        .reader('users')
        .where({ role: ROLE.root, status: USER_STATUS.enabled })
        .whereNot({ email: '' })
        .whereNull('deleted_at')
        .orderBy('id')
        .select('email', 'language')
      return rows.map(({ email, language }) => ({ email, language: mailLanguage(language) }))
    },
  }
}

/** Returns the time of each user's last relay or sign-in, whichever is later, in Unix seconds. */
async function lastActiveOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const lastActive = new Map<number, number>()
  if (ids.length === 0) return lastActive
  const newest = (table: 'tokens' | 'sessions', column: string) =>
    db
      .reader(table)
      .whereIn('user_id', ids)
      .groupBy('user_id')
      .select<{ user_id: number; at: number | string | null }[]>('user_id', db.reader.raw('MAX(??) AS at', [column]))
  const rows = await Promise.all([newest('tokens', 'accessed_time'), newest('sessions', 'created_at')])
  for (const { user_id, at } of rows.flat())
    lastActive.set(user_id, Math.max(lastActive.get(user_id) ?? 0, Number(at ?? 0)))
  return lastActive
}

async function storeNewDatabaseOptions(trx: Knex.Transaction): Promise<void> {
  const stored = await trx('options').insert(NEW_DATABASE_OPTIONS).onConflict('key').ignore().returning('key')
  const keys = stored.map(({ key }) => key)
  if (keys.length > 0) await recordChange(trx, 'option', keys)
}

/** Start balance of root: 200 US dollars at the default QuotaPerUnit. */
const ROOT_QUOTA = 100_000_000
