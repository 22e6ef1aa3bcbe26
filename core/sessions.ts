import type { Knex } from 'knex'
import { noteSignIn, type SignInOrigin } from './accounts/sign-in-origins.ts'
import { type Actor, USER_STATUS } from './actor.ts'
import type { Database } from './db/database.ts'
import { deleteSome } from './db/delete-some.ts'
import { GatewayError } from './errors.ts'
import type { Language } from './messages/language.ts'
import { randomAlphanumerics, type Secrets } from './secrets.ts'

/** 30 days, the lifetime of the cookie. */
export const SESSION_SECONDS = 30 * 24 * 3600
/** For this long after a sign-in, a session may change credentials without the password. */
export const RECENT_SECONDS = 600
/** Enough time to sign in at a provider and return. */
const ANONYMOUS_SECONDS = 3600

export interface SessionUser extends Actor {
  username: string
  status: number
  group: string
}

/** Data of a session besides its user. */
export interface SessionData {
  /** State that a sign-in provider must send back, as proof that this browser began the sign-in. */
  oauth_state?: string
  /** Invite code for the registration. */
  aff?: string
  /** The visitor passed a bot check. */
  turnstile?: true
  /** A pending OpenID Connect sign-in: https://www.rfc-editor.org/rfc/rfc7636 and the ID token's nonce. */
  oidc?: { verifier: string; nonce: string }
  /** Unix seconds at which the user last entered the password after the sign-in. */
  confirmed_at?: number
}

/** Server-side sessions: the browser holds a random id, the database only its digest. */
export interface Sessions {
  /** Creates a session of a user, or with id 0 of a visitor. Returns the id for the cookie. Throws SESSION_UNSAVED. */
  create(userId: number, data?: SessionData): Promise<string>
  /**
   * Returns the current state of the session's user; undefined if the session is unknown, expired or anonymous, or the user is
   * deleted.
   */
  find(id: string): Promise<SessionUser | undefined>
  /** Returns a session's data, also a visitor's; undefined if it is unknown or expired. */
  data(id: string): Promise<SessionData | undefined>
  /** Adds data to a session; creates one for a visitor without a session. Returns the id for the cookie. Throws SESSION_UNSAVED. */
  remember(id: string | undefined, data: SessionData): Promise<string>
  /** Removes and returns single-use values. Of concurrent calls, only one gets them. */
  take<K extends keyof SessionData>(id: string, keys: readonly K[]): Promise<Pick<SessionData, K>>
  /**
   * Signs a user in with a new session id and deletes the previous session; only its passed bot check is kept. `passwordHash`: the
   * hash that the password was checked against; `origin`: absent if it is no sign-in; `language`: of the browser, stored for mails
   * to the user, absent if unknown. Throws SESSION_UNSAVED, and CREDENTIALS_WRONG if that hash is no longer stored, or the user is
   * deleted or banned.
   */
  rotate(
    before: string | undefined,
    userId: number,
    context?: { passwordHash?: string; origin?: SignInOrigin; language?: Language | undefined },
  ): Promise<string>
  /** Whether the user signed in, or entered the password, within RECENT_SECONDS. */
  isRecent(id: string): Promise<boolean>
  /** Records that the user has just entered the password. */
  confirm(id: string): Promise<void>
  delete(id: string): Promise<void>
  /** Ends all sessions of a user. */
  deleteAll(userId: number): Promise<void>
}

export function createSessions({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }): Sessions {
  const alive = (connection: Knex, id: string) =>
    connection('sessions')
      .where({ id_hash: secrets.digest(id) })
      .where('expires_at', '>', now())

  async function insert(trx: Knex.Transaction, userId: number, data: SessionData): Promise<string> {
    const id = randomAlphanumerics(43)
    await deleteSome(trx, 'sessions', { key: ['id_hash'], matching: (rows) => rows.where('expires_at', '<', now()) })
    await trx('sessions').insert({
      id_hash: secrets.digest(id),
      user_id: userId,
      data: JSON.stringify(data),
      created_at: now(),
      expires_at: now() + (userId ? SESSION_SECONDS : ANONYMOUS_SECONDS),
    })
    return id
  }

  const saving = async <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
    try {
      return await db.transaction(work)
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause
      throw new GatewayError('SESSION_UNSAVED', {}, { cause })
    }
  }

  return {
    create: (userId, data = {}) => saving((trx) => insert(trx, userId, data)),

    async find(id) {
      const user = await alive(db.reader, id)
        .join('users', 'users.id', 'sessions.user_id')
        .whereNull('users.deleted_at')
        .first('users.id', 'users.role', 'users.username', 'users.status', 'users.group')
      return user as SessionUser | undefined
    },

    async data(id) {
      const row = await alive(db.reader, id).first('data')
      return row && parsed(row.data)
    },

    remember: (id, more) =>
      saving(async (trx) => {
        const row = id === undefined ? undefined : await alive(trx, id).forUpdate().first('data')
        if (id === undefined || !row) return insert(trx, 0, more)
        await alive(trx, id).update({ data: JSON.stringify({ ...parsed(row.data), ...more }) })
        return id
      }),

    take: (id, keys) =>
      db.transaction(async (trx) => {
        const row = await alive(trx, id).forUpdate().first('data')
        const data = parsed(row?.data)
        const taken = Object.fromEntries(keys.filter((key) => key in data).map((key) => [key, data[key]]))
        const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !(key in taken)))
        if (row) await alive(trx, id).update({ data: JSON.stringify(rest) })
        return taken as Pick<SessionData, (typeof keys)[number]>
      }),

    rotate: (before, userId, { passwordHash, origin, language } = {}) =>
      saving(async (trx) => {
        // Locked, so that a concurrent password change or ban either ends this session too or prevents it.
        const user = await trx('users')
          .where({ id: userId })
          .forUpdate()
          .first('username', 'password', 'status', 'deleted_at', 'language')
        const welcome = user?.status === USER_STATUS.enabled && user.deleted_at === null
        if (!welcome || (passwordHash !== undefined && passwordHash !== user.password)) {
          throw new GatewayError('CREDENTIALS_WRONG')
        }
        const row = before === undefined ? undefined : await alive(trx, before).first('data')
        if (before !== undefined) await alive(trx, before).delete()
        const { turnstile } = parsed(row?.data)
        if (language && language !== user.language) await trx('users').where({ id: userId }).update({ language })
        if (origin) await noteSignIn(trx, { id: userId, username: user.username }, origin, { secrets, now: now() })
        return insert(trx, userId, turnstile ? { turnstile } : {})
      }),

    async isRecent(id) {
      const row = await alive(db.reader, id).first('created_at', 'data')
      const provenAt = Math.max(Number(row?.created_at ?? 0), parsed(row?.data).confirmed_at ?? 0)
      return provenAt > now() - RECENT_SECONDS
    },

    confirm: (id) =>
      saving(async (trx) => {
        const row = await alive(trx, id).forUpdate().first('data')
        await alive(trx, id).update({ data: JSON.stringify({ ...parsed(row?.data), confirmed_at: now() }) })
      }),

    async delete(id) {
      await db.transaction((trx) =>
        trx('sessions')
          .where({ id_hash: secrets.digest(id) })
          .delete(),
      )
    },

    async deleteAll(userId) {
      await db.transaction((trx) => endSessions(trx, userId))
    },
  }
}

/** Ends all sessions of a user, in the caller's transaction. */
export async function endSessions(trx: Knex.Transaction, userId: number): Promise<void> {
  await trx('sessions').where({ user_id: userId }).delete()
}

function parsed(data: string | undefined): SessionData {
  return data ? (JSON.parse(data) as SessionData) : {}
}
