import type { Knex } from 'knex'
import { type Actor, mayCreate, mayManage, ROLE, requireRole, USER_STATUS } from '../actor.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import { ROOT_PASSWORD_LENGTH } from '../config.ts'
import type { Database } from '../db/database.ts'
import { NEWEST_FIRST, readPage } from '../db/page.ts'
import { GatewayError, isUniqueViolation } from '../errors.ts'
import { oneOf, type Page, type Paging, quotaAmount, textOf, wholeNumber } from '../input.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logs } from '../logs/logs.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { randomAlphanumerics } from '../secrets.ts'
import { checkPassword, hashPassword } from './passwords.ts'
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

export interface Accounts {
  /** Throws LEVEL_CREATE, USERNAME_TAKEN, FIELD_*. */
  create(actor: Actor, user: NewUser): Promise<User>
  /** Throws USER_NOT_FOUND, LEVEL_TOO_LOW. */
  get(actor: Actor, id: number): Promise<User>
  /** The user of that name. Throws USER_NOT_FOUND. */
  getByName(actor: Actor, username: string): Promise<User>
  list(actor: Actor, query?: Paging & { keyword?: string; group?: string }): Promise<Page<User>>
  /** Sets a balance to a new value, with an entry that says who did it. Answers the user after it. */
  setQuota(actor: Actor, id: number, quota: number): Promise<User>
  setStatus(actor: Actor, id: number, status: number): Promise<User>
  /** Name or e-mail address and password to a user. Throws PASSWORD_LOGIN_DISABLED, CREDENTIALS_WRONG. */
  login(credentials: { username: string; password: string }): Promise<User>
  /** Makes the first user, `root`, if there is no user at all. Answers it, or undefined when there was one. */
  createRoot(password: string, username?: string): Promise<User | undefined>
  /** The root user with the lowest id: whom an operator at the machine's own terminal acts for. */
  findRoot(): Promise<User | undefined>
}

export function createAccounts({
  db,
  ledger,
  logs,
  options,
  follower,
  now,
}: {
  db: Database
  ledger: Ledger
  logs: Logs
  options: Options
  follower: Follower
  now: () => number
}): Accounts {
  async function insert(
    trx: Knex.Transaction,
    user: Required<NewUser>,
    hash: string,
    actorId: number,
  ): Promise<number> {
    const { username, display_name, role, quota, group } = user
    const row = {
      username,
      display_name,
      role,
      group,
      password: hash,
      aff_code: randomAlphanumerics(8),
      created_time: now(),
    }
    const [{ id }] = (await trx('users').insert(row).returning('id')) as [{ id: number }]
    await recordChange(trx, 'user', [id])
    if (quota > 0) {
      await ledger.credit(trx, { userId: id, kind: 'grant', quota, actorId, reference: `user-${id}` })
      await logs.write(trx, { type: 'system', userId: id, username, text: 'new-user-grant', quota })
    }
    return id
  }

  async function find(where: Record<string, unknown>): Promise<User> {
    const row = await db
      .reader('users')
      .where(where)
      .whereNull('deleted_at')
      .first(...USER_COLUMNS)
    if (!row) throw new GatewayError('USER_NOT_FOUND', { id: String(Object.values(where)[0]) })
    return toUser(row)
  }

  async function manage(actor: Actor, id: number): Promise<User> {
    requireRole(actor, ROLE.admin)
    const target = await find({ id: wholeNumber('id', id, { min: 1, max: 2 ** 31 }) })
    if (!mayManage(actor, target)) throw new GatewayError('LEVEL_TOO_LOW')
    return target
  }

  return {
    async create(actor, input) {
      requireRole(actor, ROLE.admin)
      const username = textOf('username', input.username, { min: 1, max: 12 })
      const user: Required<NewUser> = {
        username,
        password: textOf('password', input.password, { min: 8, max: 20 }),
        display_name: textOf('display_name', input.display_name ?? username, { min: 0, max: 20 }) || username,
        role: wholeNumber('role', input.role ?? ROLE.common, { min: 1, max: ROLE.root }),
        quota: quotaAmount('quota', input.quota ?? options.get(OPTIONS.QuotaForNewUser)),
        group: textOf('group', input.group ?? 'default', { min: 1, max: 64 }),
      }
      if (!mayCreate(actor, user.role)) throw new GatewayError('LEVEL_CREATE')
      const hash = await hashPassword(user.password)
      try {
        return await find({ id: await db.transaction((trx) => insert(trx, user, hash, actor.id)) })
      } catch (cause) {
        if (isUniqueViolation(cause)) throw new GatewayError('USERNAME_TAKEN', { username }, { cause })
        throw cause
      }
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
      const { keyword = '', group = '' } = query
      const matching = db.reader('users').modify((where) => {
        if (group) where.where({ group })
        if (!keyword) return
        where.where((either) => {
          for (const column of ['username', 'email', 'display_name']) either.orWhereLike(column, `%${keyword}%`)
          if (/^\d{1,9}$/.test(keyword)) either.orWhere('id', Number(keyword))
        })
      })
      const page = await readPage<Parameters<typeof toUser>[0]>(matching, query, {
        columns: USER_COLUMNS,
        order: NEWEST_FIRST,
      })
      return { ...page, items: page.items.map(toUser) }
    },

    async setQuota(actor, id, value) {
      const { username } = await manage(actor, id)
      const quota = quotaAmount('quota', value)
      await db.transaction(async (trx) => {
        const row = await trx('users').where({ id }).forUpdate().first('quota')
        const before: number = row.quota
        if (before === quota) return
        await ledger.credit(trx, { userId: id, kind: 'edit', quota: quota - before, actorId: actor.id })
        await logs.write(trx, { type: 'admin', userId: id, username, text: 'quota-edit', quota, before })
        await recordChange(trx, 'user', [id])
      })
      return find({ id })
    },

    async setStatus(actor, id, status) {
      const target = await manage(actor, id)
      oneOf('status', status, Object.values(USER_STATUS))
      if (target.role >= ROLE.root && status !== USER_STATUS.enabled) throw new GatewayError('LEVEL_TOO_LOW')
      await db.transaction(async (trx) => {
        await trx('users').where({ id }).update({ status })
        await recordChange(trx, 'user', [id])
      })
      await follower.catchUp()
      return find({ id })
    },

    async login({ username, password }) {
      if (!options.get(OPTIONS.PasswordLoginEnabled)) throw new GatewayError('PASSWORD_LOGIN_DISABLED')
      const name = username.trim()
      const row =
        name === ''
          ? undefined
          : await db
              .reader('users')
              .where((either) => either.where({ username: name }).orWhere({ email: name }))
              .whereNull('deleted_at')
              .orderBy('id')
              .first('id', 'password', 'status')
      const { fits, outdated } = await checkPassword(row?.password, password)
      if (!fits || row.status !== USER_STATUS.enabled) throw new GatewayError('CREDENTIALS_WRONG')
      if (outdated) {
        const hash = await hashPassword(password)
        await db.transaction((trx) =>
          trx('users').where({ id: row.id, password: row.password }).update({ password: hash }),
        )
      }
      return find({ id: row.id })
    },

    async createRoot(given, username = 'root') {
      const password = textOf('ROOT_PASSWORD', given, ROOT_PASSWORD_LENGTH)
      const hash = await hashPassword(password)
      const user = {
        username,
        password,
        display_name: 'Root User',
        role: ROLE.root,
        quota: ROOT_QUOTA,
        group: 'default',
      }
      const id = await db.transaction(async (trx) => {
        // Many processes may start at once: one of them makes the user.
        await db.alone(trx, 'first user')
        const somebody = await trx('users').whereNull('deleted_at').first('id')
        return somebody ? undefined : insert(trx, user, hash, 0)
      })
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
  }
}

/** What the first user starts with: 200 US dollars at the default QuotaPerUnit. */
const ROOT_QUOTA = 100_000_000
