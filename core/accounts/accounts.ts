import { type Actor, mayCreate, mayManage, ROLE, requireRole, USER_STATUS } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import { ROOT_PASSWORD_LENGTH } from '../config.ts'
import { whereContains } from '../db/like.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import { groupExists, requireGroup } from '../groups/groups.ts'
import { type Page, type Paging, quotaAmount, textOf, wholeNumber } from '../input.ts'
import { spendKeyAmount } from '../management-keys/amount.ts'
import { OPTIONS } from '../options/registry.ts'
import { type Administration, createAdministration } from './administration.ts'
import { isCommonPassword } from './common-passwords.ts'
import { displayNameOf, groupOf, usernameOf } from './fields.ts'
import { insertUser, type NewUserParts } from './new-user.ts'
import { createPasswordSignIn, type PasswordSignIn, type SignInParts } from './sign-in.ts'
import { whereFree } from './taken.ts'
import { toUser, USER_COLUMNS, type User } from './user.ts'

export interface NewUser {
  username: string
  password: string
  display_name?: string
  role?: number
  /** Start balance; the option QuotaForNewUser when absent. */
  quota?: number
  group?: string
}

/** What is absent, or empty, narrows nothing. */
export interface UserQuery extends Paging {
  /** Part of a name or address, or an id. */
  keyword?: string
  group?: string
  role?: number
  /** Of accounts that are not deleted. */
  status?: number
  /** Only deleted ones, or only the others; absent: both. */
  deleted?: boolean
}

export interface Accounts extends Administration, PasswordSignIn {
  /** Throws LEVEL_CREATE, USERNAME_TAKEN, PASSWORD_COMMON, FIELD_*. */
  create(actor: Actor, user: NewUser): Promise<User>
  /** A common user, as the management API makes them: `role` is held against the actor's level and not stored. Throws as `create`. */
  createCommon(actor: Actor, user: Pick<NewUser, 'username' | 'password' | 'display_name' | 'role'>): Promise<User>
  /** Throws USER_NOT_FOUND, LEVEL_READ. */
  get(actor: Actor, id: number): Promise<User>
  /** The user of that name. Throws USER_NOT_FOUND, LEVEL_READ. */
  getByName(actor: Actor, username: string): Promise<User>
  /** Newest first. Root users are listed for root only. */
  list(actor: Actor, query?: UserQuery): Promise<Page<User>>
  /** Makes the first user, `root`, if there is no user at all. Answers it, or undefined when there was one. Throws PASSWORD_COMMON, FIELD_*. */
  createRoot(password: string, username?: string): Promise<User | undefined>
  /** The root user with the lowest id: whom an operator at the machine's own terminal acts for. */
  findRoot(): Promise<User | undefined>
  /** The mail addresses of all root users that are enabled and have one. */
  rootAddresses(): Promise<string[]>
}

/** An option whose default stays as documented for databases that exist: new ones try two further channels. */
const NEW_DATABASE_OPTIONS = { key: OPTIONS.RetryTimes.key, value: '2' }

export function createAccounts({
  db,
  follower,
  passwords,
  guesses,
  devices,
  mail,
  onFailure,
  audit,
  ...parts
}: NewUserParts & Omit<SignInParts, 'options'> & { follower: Follower; audit: Audit }): Accounts {
  const { options } = parts

  async function find(where: { id: number } | { username: string }): Promise<User> {
    const row = await db
      .reader('users')
      .where(where)
      .whereNull('deleted_at')
      .first(...USER_COLUMNS)
    if (!row) throw new GatewayError('USER_NOT_FOUND', { id: Object.values(where)[0] })
    return toUser(row)
  }

  async function manage(actor: Actor, id: number): Promise<User> {
    requireRole(actor, ROLE.admin)
    const target = await find({ id: wholeNumber('id', id, { min: 1, max: 2 ** 31 - 1 }) })
    if (!mayManage(actor, target)) throw new GatewayError('LEVEL_READ')
    return target
  }

  async function create(actor: Actor, input: NewUser): Promise<User> {
    requireRole(actor, ROLE.admin)
    const username = usernameOf(input.username)
    const password = passwords.checkNew(input.password)
    const display_name = displayNameOf(input.display_name ?? '') || username
    const role = wholeNumber('role', input.role ?? ROLE.common, { min: 1, max: ROLE.root })
    const quota = quotaAmount('quota', input.quota ?? options.get(OPTIONS.QuotaForNewUser))
    const group = groupOf(input.group ?? 'default')
    // Another process may have made it a moment ago.
    if (!groupExists(options, group)) await follower.catchUp()
    requireGroup(options, group)
    if (!mayCreate(actor, role)) throw new GatewayError('LEVEL_CREATE')
    const row = { username, display_name, role, group, password: await passwords.hash(password) }
    const id = await whereFree(username, () =>
      db.transaction((trx) =>
        audit.around(
          trx,
          { actor, action: 'user.create', kind: 'user' },
          async () => {
            await spendKeyAmount(trx, actor, quota)
            return insertUser(trx, parts, { row, quota, actorId: actor.id })
          },
          (made) => [made],
        ),
      ),
    )
    await follower.catchUp()
    return find({ id })
  }

  return {
    ...createAdministration({ db, follower, passwords, audit, ...parts }),
    ...createPasswordSignIn({ db, options, passwords, guesses, devices, mail, onFailure }),
    create,

    async createCommon(actor, { username, password, display_name = '', role = ROLE.common }) {
      if (!mayCreate(actor, role)) throw new GatewayError('LEVEL_CREATE')
      return create(actor, { username, password, display_name })
    },

    async get(actor, id) {
      return actor.id === id ? find({ id }) : manage(actor, id)
    },

    async getByName(actor, username) {
      if (actor.role < ROLE.admin) {
        // A common user cannot tell another's name from one that does not exist.
        const own = await find({ id: actor.id })
        if (own.username !== username) throw new GatewayError('PERMISSION_DENIED')
        return own
      }
      const user = await find({ username })
      return actor.id === user.id ? user : manage(actor, user.id)
    },

    async list(actor, query = {}) {
      requireRole(actor, ROLE.admin)
      const { keyword = '', group = '', role, status, deleted = status === undefined ? undefined : false } = query
      const matching = db.reader('users').modify((where) => {
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
        columns: USER_COLUMNS,
        order: NEWEST_FIRST,
      })
      return { ...page, items: page.items.map(toUser) }
    },

    async createRoot(given, username = 'root') {
      const password = textOf('ROOT_PASSWORD', given, ROOT_PASSWORD_LENGTH)
      if (isCommonPassword(password)) throw new GatewayError('PASSWORD_COMMON')
      const hash = await passwords.hash(password)
      const row = { username, display_name: 'Root User', role: ROLE.root, group: 'default', password: hash }
      const id = await db.transaction(async (trx) => {
        // Many processes may start at once: one of them makes the user.
        await db.alone(trx, 'first user')
        const somebody = await trx('users').whereNull('deleted_at').first('id')
        if (somebody) return undefined
        const stored = await trx('options').insert(NEW_DATABASE_OPTIONS).onConflict('key').ignore().returning('key')
        if (stored.length > 0)
          await recordChange(
            trx,
            'option',
            stored.map(({ key }) => key),
          )
        return insertUser(trx, parts, { row, quota: ROOT_QUOTA, actorId: 0 })
      })
      await follower.catchUp()
      return id === undefined ? undefined : find({ id })
    },

    async findRoot() {
      const row = await db
        .reader('users')
        .where({ role: ROLE.root })
        .whereNull('deleted_at')
        .orderBy('id')
        .first(...USER_COLUMNS)
      return row && toUser(row)
    },

    rootAddresses: () =>
      db
        .reader('users')
        .where({ role: ROLE.root, status: USER_STATUS.enabled })
        .whereNot({ email: '' })
        .whereNull('deleted_at')
        .orderBy('id')
        .pluck('email'),
  }
}

/** What the first user starts with: 200 US dollars at the default QuotaPerUnit. */
const ROOT_QUOTA = 100_000_000
