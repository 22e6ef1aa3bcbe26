import { randomBytes } from 'node:crypto'
import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import type { SessionUser } from '../sessions/sessions.ts'

/** 24 bytes are 32 characters of base64: what the column of imported deployments holds. */
const ACCESS_TOKEN_BYTES = 24

/** Credentials of users for the management API, made for scripts; one each, and on the relay valid for nothing but a chat from a terminal. */
export interface AccessTokens {
  /** Makes a new one; the one before is void from now on. */
  create(actor: Actor): Promise<string>
  /** The actor's own; null when there never was one. */
  own(actor: Actor): Promise<string | null>
  /** Whose it is, as that user is now. */
  find(accessToken: string): Promise<SessionUser | undefined>
}

export function createAccessTokens({ db, secrets }: { db: Database; secrets: Secrets }): AccessTokens {
  return {
    async create({ id }) {
      const accessToken = randomBytes(ACCESS_TOKEN_BYTES).toString('base64')
      const stored = { access_token: secrets.seal(accessToken), access_token_hash: secrets.digest(accessToken) }
      await db.transaction((trx) => trx('users').where({ id }).whereNull('deleted_at').update(stored))
      return accessToken
    },
    async own({ id }) {
      const row = await db.reader('users').where({ id }).first('access_token')
      return row?.access_token ? secrets.open(row.access_token) : null
    },
    async find(accessToken) {
      if (accessToken === '') return undefined
      const user = await db
        .reader('users')
        .where({ access_token_hash: secrets.digest(accessToken) })
        .whereNull('deleted_at')
        .first('id', 'role', 'username', 'status', 'group')
      return user as SessionUser | undefined
    },
  }
}
