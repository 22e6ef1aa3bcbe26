import type { Database } from './db/database.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import { deleteExpired } from './delete-expired.ts'
import { GatewayError } from './errors.ts'
import { randomAlphanumerics, type Secrets } from './secrets.ts'

/** Prefix of realtime session keys, the same as OpenAI's. */
export const REALTIME_KEY_PREFIX = 'ek_'
const KEY_LENGTH = 48
/** Maximum number of unexpired keys per user. */
const KEYS_MAX = 1000
/** Retry-After, in seconds, for a client whose user has too many keys. */
const LIMITED_S = 60
const MODEL_LENGTH_MAX = 255

/** The permissions of a short-lived key. */
export interface RealtimeKey {
  readonly userId: number
  readonly tokenId: number
  /** Id of the channel that the request for the key pinned, or 0. */
  readonly pinnedChannelId: number
  readonly model: string
  /** Initial settings of the sessions that this key opens. */
  readonly session: Readonly<Record<string, unknown>>
}

/** Manages short-lived keys for realtime sessions. Clients create them with an API key. Only digests are stored. */
export function createRealtimeKeys(parts: {
  db: Database
  secrets: Pick<Secrets, 'digest' | 'sealBytes' | 'openBytes'>
  now: () => number
}) {
  const { db, secrets, now } = parts
  return {
    /**
     * Creates a key that expires after `seconds`. Returns the key and its expiry in Unix seconds. Throws RATE_LIMITED
     * if the user has too many keys, MODEL_NOT_FOUND if the model name is too long, and DATABASE_UNAVAILABLE.
     */
    async create(
      { userId, tokenId, pinnedChannelId, model, session }: RealtimeKey,
      { seconds }: { seconds: number },
    ): Promise<{ value: string; expiresAt: number }> {
      if (model.length > MODEL_LENGTH_MAX) throw new GatewayError('MODEL_NOT_FOUND', { model: model.slice(0, 40) })
      const value = REALTIME_KEY_PREFIX + randomAlphanumerics(KEY_LENGTH)
      const expiresAt = now() + seconds
      await withinDatabaseWait(
        db.transaction(async (trx) => {
          await db.serialize(trx, `realtime keys ${userId}`)
          const [live] = await trx('realtime_keys')
            .where({ user_id: userId })
            .where('expires_at', '>', now())
            .count({ count: '*' })
          if (Number(live?.count) >= KEYS_MAX) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: LIMITED_S })
          await trx('realtime_keys').insert({
            key_hash: secrets.digest(value),
            user_id: userId,
            token_id: tokenId,
            pinned_channel_id: pinnedChannelId,
            model,
            session: secrets.sealBytes(Buffer.from(JSON.stringify(session))),
            expires_at: expiresAt,
          })
        }),
      )
      return { value, expiresAt }
    },
    /** Returns the permissions of a key, or undefined if it is unknown or expired. Throws DATABASE_UNAVAILABLE. */
    async find(value: string): Promise<RealtimeKey | undefined> {
      const row = await withinDatabaseWait(
        db
          .reader('realtime_keys')
          .where({ key_hash: secrets.digest(value) })
          .where('expires_at', '>', now())
          .first('user_id', 'token_id', 'pinned_channel_id', 'model', 'session'),
      )
      return (
        row && {
          userId: row.user_id,
          tokenId: row.token_id,
          pinnedChannelId: row.pinned_channel_id,
          model: row.model,
          session: JSON.parse(secrets.openBytes(row.session).toString('utf8')),
        }
      )
    },
    /** Deletes expired keys and returns their number. */
    trim: (): Promise<number> =>
      deleteExpired(db, 'realtime_keys', {
        key: ['key_hash'],
        expired: (rows) => rows.where('expires_at', '<=', now()),
      }),
  }
}
