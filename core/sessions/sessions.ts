import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { randomAlphanumerics, type Secrets } from '../secrets.ts'

/** 30 days, as long as the cookie. */
export const SESSION_SECONDS = 30 * 24 * 3600

export interface SessionUser extends Actor {
  username: string
  status: number
  group: string
}

/** Server-side sessions: the browser holds a random id, the database only its digest. */
export interface Sessions {
  /** Signs a user in. Answers the id for the cookie. */
  create(userId: number): Promise<string>
  /** Whose session it is, as that user is now; undefined when it is unknown, expired or its user is gone. */
  find(id: string): Promise<SessionUser | undefined>
  delete(id: string): Promise<void>
  /** Signs a user out everywhere. */
  deleteAll(userId: number): Promise<void>
}

export function createSessions({ db, secrets, now }: { db: Database; secrets: Secrets; now: () => number }): Sessions {
  return {
    async create(userId) {
      const id = randomAlphanumerics(43)
      await db.transaction(async (trx) => {
        await trx('sessions').where('expires_at', '<', now()).delete()
        await trx('sessions').insert({
          id_hash: secrets.digest(id),
          user_id: userId,
          created_at: now(),
          expires_at: now() + SESSION_SECONDS,
        })
      })
      return id
    },
    async find(id) {
      const user = await db
        .reader('sessions')
        .join('users', 'users.id', 'sessions.user_id')
        .where({ id_hash: secrets.digest(id) })
        .where('expires_at', '>', now())
        .whereNull('users.deleted_at')
        .first('users.id', 'users.role', 'users.username', 'users.status', 'users.group')
      return user as SessionUser | undefined
    },
    async delete(id) {
      await db.transaction((trx) =>
        trx('sessions')
          .where({ id_hash: secrets.digest(id) })
          .delete(),
      )
    },
    async deleteAll(userId) {
      await db.transaction((trx) => trx('sessions').where({ user_id: userId }).delete())
    },
  }
}
