import type { Knex } from 'knex'
import { type Actor, USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { deleteSome } from '../db/delete-some.ts'
import { GatewayError } from '../errors.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'

/** 30 days, as long as the cookie. */
export const SESSION_SECONDS = 30 * 24 * 3600
/** So long after a sign-in, a session may change credentials without the password. */
export const RECENT_SECONDS = 600
/** Time enough to sign in somewhere else and come back. */
const ANONYMOUS_SECONDS = 3600

export interface SessionUser extends Actor {
  username: string
  status: number
  group: string
}

/** What a session remembers besides its user. */
export interface SessionData {
  /** What a sign-in provider must send back: proof that this browser began the sign-in. */
  oauth_state?: string
  /** Invite code to register with. */
  aff?: string
  /** A bot check was passed. */
  turnstile?: true
  /** A sign-in by OpenID Connect on its way: https://www.rfc-editor.org/rfc/rfc7636 and the ID token's nonce. */
  oidc?: { verifier: string; nonce: string }
  /** When its user last entered the password, after the sign-in; unix seconds. */
  confirmed_at?: number
}

/** Server-side sessions: the browser holds a random id, the database only its digest. */
export interface Sessions {
  /** Begins a session: of a user, or with id 0 of a visitor who has yet to sign in. Answers the id for the cookie. Throws SESSION_UNSAVED. */
  create(userId: number, data?: SessionData): Promise<string>
  /** Whose session it is, as that user is now; undefined when it is unknown, expired, anonymous or its user is gone. */
  find(id: string): Promise<SessionUser | undefined>
  /** What a session remembers, a visitor's too; undefined when it is unknown or expired. */
  data(id: string): Promise<SessionData | undefined>
  /** Adds to what a session remembers; a visitor without one gets one. Answers the id for the cookie. Throws SESSION_UNSAVED. */
  remember(id: string | undefined, data: SessionData): Promise<string>
  /** Takes single-use values out of a session: of two who ask at once, one gets them. */
  take<K extends keyof SessionData>(id: string, keys: readonly K[]): Promise<Pick<SessionData, K>>
  /**
   * Signs a user in under a new id, and ends the session before it; that a bot check was passed is kept. `passwordHash`:
   * what their password was held against. Throws SESSION_UNSAVED, and CREDENTIALS_WRONG when that is not the stored hash
   * any more, or the user is deleted or banned by now.
   */
  rotate(before: string | undefined, userId: number, proof?: { passwordHash?: string }): Promise<string>
  /** Whether its user signed in, or entered the password, within RECENT_SECONDS. */
  isRecent(id: string): Promise<boolean>
  /** Its user has just entered the password. */
  confirm(id: string): Promise<void>
  delete(id: string): Promise<void>
  /** Signs a user out everywhere. */
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

    rotate: (before, userId, { passwordHash } = {}) =>
      saving(async (trx) => {
        // Locked: whoever changes the password, or bans, ends this session too, or was first and there will be none.
        const user = await trx('users').where({ id: userId }).forUpdate().first('password', 'status', 'deleted_at')
        const welcome = user?.status === USER_STATUS.enabled && user.deleted_at === null
        if (!welcome || (passwordHash !== undefined && passwordHash !== user.password)) {
          throw new GatewayError('CREDENTIALS_WRONG')
        }
        const row = before === undefined ? undefined : await alive(trx, before).first('data')
        if (before !== undefined) await alive(trx, before).delete()
        const { turnstile } = parsed(row?.data)
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

/** Signs a user out everywhere, in the transaction that takes something away from them. */
export async function endSessions(trx: Knex.Transaction, userId: number): Promise<void> {
  await trx('sessions').where({ user_id: userId }).delete()
}

function parsed(data: string | undefined): SessionData {
  return data ? (JSON.parse(data) as SessionData) : {}
}
