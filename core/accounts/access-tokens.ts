import { randomBytes } from 'node:crypto'
import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import type { SessionUser } from '../sessions.ts'

/** 24 bytes are 32 characters of base64, the width of the column in imported databases. */
const ACCESS_TOKEN_BYTES = 24

/** Access tokens, one per user, for scripts that call the management API and for chats from a terminal. */
export type AccessTokens = ReturnType<typeof createAccessTokens>

export function createAccessTokens({ db, secrets }: { db: Database; secrets: Secrets }) {
  return {
    /** Creates a token, voids the previous one, and returns the new token. */
    async create({ id }: Actor): Promise<string> {
      const accessToken = randomBytes(ACCESS_TOKEN_BYTES).toString('base64')
      const stored = { access_token: secrets.seal(accessToken), access_token_hash: secrets.digest(accessToken) }
      await db.transaction((trx) => trx('users').where({ id }).whereNull('deleted_at').update(stored))
      return accessToken
    },
    /** Returns the actor's token, or null if the actor has none. */
    async own({ id }: Actor): Promise<string | null> {
      const row = await db.reader('users').where({ id }).first('access_token')
      return row?.access_token ? secrets.open(row.access_token) : null
    },
    /** Returns the owner of a token, with the current role and status. Returns undefined for an unknown token. */
    async find(accessToken: string): Promise<SessionUser | undefined> {
      if (accessToken === '') return undefined
      const user = await db
        .reader('users')
        .where({ access_token_hash: secrets.digest(accessToken) })
        .whereNull('deleted_at')
        .first('id', 'role', 'username', 'status', 'group')
      return user
    },
  }
}
