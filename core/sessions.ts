import type { Knex } from 'knex'
import { noteSignIn, type SignInOrigin } from './accounts/sign-in-origins.ts'
import { type Actor, USER_STATUS } from './actor.ts'
import type { Database } from './db/database.ts'
import { deleteSome } from './db/delete-some.ts'
import { fromJson, type JsonText, toJson } from './db/json.ts'
import { GatewayError } from './errors.ts'
import type { Language } from './messages/language.ts'
import { keysOf } from './records.ts'
import { randomAlphanumerics, type Secrets } from './secrets.ts'

/** Lifetime of a user's session and of its cookie: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 3600
/** Time after a sign-in in which a session may change credentials without the password. */
export const RECENT_SECONDS = 600
/** Lifetime of a visitor's session: enough time to sign in at another service and return. */
const ANONYMOUS_SECONDS = 3600

export interface SessionUser extends Actor {
  username: string
  status: number
  group: string
}

/** Data of a session besides its user. */
export interface SessionData {
  /** The `state` parameter that a sign-in service must send back. It proves that this browser started the sign-in. */
  oauth_state?: string
  /** The invite code for a registration. */
  aff?: string
  /** Set if the visitor passed a bot check. */
  turnstile?: true
  /** A pending OpenID Connect sign-in: PKCE verifier (https://www.rfc-editor.org/rfc/rfc7636) and ID token nonce. */
  oidc?: { verifier: string; nonce: string }
  /** Time at which the user last entered the password after the sign-in, in Unix seconds. */
  confirmed_at?: number
}

/** Manages server-side sessions. The browser has a random id, and the database has only a digest of the id. */
export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }) {
  const unexpiredSession = (connection: Knex, id: string) =>
    connection('sessions')
      .where({ id_hash: secrets.digest(id) })
      .where('expires_at', '>', now())

  async function insert(trx: Knex.Transaction, userId: number, data: SessionData): Promise<string> {
    const id = randomAlphanumerics(43)
    await deleteSome(trx, 'sessions', { key: ['id_hash'], matching: (rows) => rows.where('expires_at', '<', now()) })
    await trx('sessions').insert({
      id_hash: secrets.digest(id),
      user_id: userId,
      data: toJson(data),
      created_at: now(),
      expires_at: now() + (userId ? SESSION_SECONDS : ANONYMOUS_SECONDS),
    })
    return id
  }

  const save = async <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
    try {
      return await db.transaction(work)
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause
      throw new GatewayError('SESSION_UNSAVED', {}, { cause })
    }
  }

  return {
    /** Creates a session of a user, or of a visitor (`userId` 0). Returns the cookie's id. Throws SESSION_UNSAVED. */
    create: (userId: number, data: SessionData = {}): Promise<string> => save((trx) => insert(trx, userId, data)),

    /** Returns the current data of the session's user, or undefined without a valid session of a user. */
    async find(id: string): Promise<SessionUser | undefined> {
      return unexpiredSession(db.reader, id)
        .join('users', 'users.id', 'sessions.user_id')
        .whereNull('users.deleted_at')
        .first('users.id', 'users.role', 'users.username', 'users.status', 'users.group')
    },

    /** Returns the data of a session, or undefined if the session is unknown or expired. */
    async data(id: string): Promise<SessionData | undefined> {
      const row = await unexpiredSession(db.reader, id).first('data')
      return row && parseData(row.data)
    },

    /** Adds data to a session, or to a new visitor's session. Returns the id for the cookie. Throws SESSION_UNSAVED. */
    remember: (id: string | undefined, more: SessionData): Promise<string> =>
      save(async (trx) => {
        const row = id === undefined ? undefined : await unexpiredSession(trx, id).forUpdate().first('data')
        if (id === undefined || !row) return insert(trx, 0, more)
        await unexpiredSession(trx, id).update({ data: toJson({ ...parseData(row.data), ...more }) })
        return id
      }),

    /** Removes values from a session's data and returns them. Only one of several concurrent calls gets a value. */
    take: (id: string, keys: readonly (keyof SessionData)[]): Promise<SessionData> =>
      db.transaction(async (trx) => {
        const row = await unexpiredSession(trx, id).forUpdate().first('data')
        const data = parseData(row?.data)
        const [taken, rest] = [{ ...data }, { ...data }]
        for (const key of keysOf(data)) delete (keys.includes(key) ? rest : taken)[key]
        if (row) await unexpiredSession(trx, id).update({ data: toJson(rest) })
        return taken
      }),

    /**
     * Creates a session of a user with a new id, and deletes the previous session (`before`). Of the previous data,
     * only a passed bot check moves to the new session. Returns the new id.
     *
     * `passwordHash` is the hash against which the password was checked. `origin` is the source of a sign-in, and
     * absent without a sign-in. `language` is the browser's language, which is stored for mails to the user.
     *
     * Throws SESSION_UNSAVED. Throws CREDENTIALS_WRONG if the user is deleted or not enabled, or if the stored hash is
     * no longer `passwordHash`.
     */
    rotate: (
      before: string | undefined,
      userId: number,
      {
        passwordHash,
        origin,
        language,
      }: { passwordHash?: string; origin?: SignInOrigin; language?: Language | undefined } = {},
    ): Promise<string> =>
      save(async (trx) => {
        // Lock the user. A concurrent password change or ban then either prevents this session or ends it.
        const user = await trx('users')
          .where({ id: userId })
          .forUpdate()
          .first('username', 'password', 'status', 'deleted_at', 'language')
        const isActive = user?.status === USER_STATUS.enabled && user.deleted_at === null
        if (!isActive || (passwordHash !== undefined && passwordHash !== user.password)) {
          throw new GatewayError('CREDENTIALS_WRONG')
        }
        const row = before === undefined ? undefined : await unexpiredSession(trx, before).first('data')
        if (before !== undefined) await unexpiredSession(trx, before).delete()
        const { turnstile } = parseData(row?.data)
        if (language && language !== user.language) await trx('users').where({ id: userId }).update({ language })
        if (origin) await noteSignIn(trx, { id: userId, username: user.username }, origin, { secrets, now: now() })
        return insert(trx, userId, turnstile ? { turnstile } : {})
      }),

    /** Returns whether the user signed in or entered the password within the last RECENT_SECONDS. */
    async isRecent(id: string): Promise<boolean> {
      const row = await unexpiredSession(db.reader, id).first('created_at', 'data')
      const provenAt = Math.max(Number(row?.created_at ?? 0), parseData(row?.data).confirmed_at ?? 0)
      return provenAt > now() - RECENT_SECONDS
    },

    /** Records that the user just entered the password. Throws SESSION_UNSAVED. */
    confirm: (id: string): Promise<void> =>
      save(async (trx) => {
        const row = await unexpiredSession(trx, id).forUpdate().first('data')
        await unexpiredSession(trx, id).update({ data: toJson({ ...parseData(row?.data), confirmed_at: now() }) })
      }),

    async delete(id: string): Promise<void> {
      await db.transaction((trx) =>
        trx('sessions')
          .where({ id_hash: secrets.digest(id) })
          .delete(),
      )
    },
  }
}

/** Ends all sessions of a user, in the caller's transaction. */
export async function endSessions(trx: Knex.Transaction, userId: number): Promise<void> {
  await trx('sessions').where({ user_id: userId }).delete()
}

function parseData(data: JsonText<SessionData> | undefined): SessionData {
  return data ? fromJson(data) : {}
}
