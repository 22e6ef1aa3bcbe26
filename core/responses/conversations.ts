import type { Database } from '../db/database.ts'
import { inShortBatches } from '../db/short-batches.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { type JsonObject, openContent, sealContent } from './content.ts'
import { hashOf, ownedBy, type ResponseOwner } from './rows.ts'

const HOUR_S = 3600

export interface StoredConversation {
  /** Unix seconds. */
  readonly createdAt: number
  readonly metadata: JsonObject
}

/** Conversations by user and token. Their items are rows of the response store. */
export interface ConversationStore {
  create(owner: ResponseOwner, id: string, metadata: JsonObject): Promise<StoredConversation>
  /** Returns undefined if this owner has no such conversation. Finding it extends its life. Throws DATABASE_UNAVAILABLE. */
  find(owner: ResponseOwner, id: string): Promise<StoredConversation | undefined>
  /** Returns whether it exists. */
  update(owner: ResponseOwner, id: string, metadata: JsonObject): Promise<boolean>
  /** Deletes it with its items. Returns whether it existed. */
  delete(owner: ResponseOwner, id: string): Promise<boolean>
  trim(): Promise<number>
}

export function createConversationStore({
  db,
  secrets,
  options,
  now,
}: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  options: Pick<Options, 'get'>
  now: () => number
}): ConversationStore {
  const expiry = () => now() + options.get(OPTIONS.ResponseStoreHours) * HOUR_S
  const placed = (owner: ResponseOwner, id: string) => ({ ...ownedBy(owner), id_hash: hashOf(id) })

  return {
    async create(owner, id, metadata) {
      const content = await sealContent(secrets, JSON.stringify(metadata))
      const createdAt = now()
      const row = { ...placed(owner, id), created_at: createdAt, expires_at: expiry(), content }
      await db.transaction((trx) => trx('stored_conversations').insert(row))
      return { createdAt, metadata }
    },
    async find(owner, id) {
      const place = placed(owner, id)
      const row: { created_at: number; expires_at: number; content: Buffer } | undefined = await withinDatabaseWait(
        db
          .reader('stored_conversations')
          .where(place)
          .where('expires_at', '>', now())
          .first('created_at', 'expires_at', 'content'),
      )
      if (!row) return undefined
      const expires_at = expiry()
      if (Number(row.expires_at) < expires_at - HOUR_S) {
        const conversation_hash = place.id_hash
        await db.transaction(async (trx) => {
          await trx('stored_conversations').where(place).update({ expires_at })
          await trx('stored_responses')
            .where({ ...ownedBy(owner), conversation_hash })
            .update({ expires_at })
        })
      }
      return { createdAt: Number(row.created_at), metadata: await openContent<JsonObject>(secrets, row.content) }
    },
    async update(owner, id, metadata) {
      const content = await sealContent(secrets, JSON.stringify(metadata))
      const changed = await db.transaction((trx) =>
        trx('stored_conversations')
          .where(placed(owner, id))
          .where('expires_at', '>', now())
          .update({ content, expires_at: expiry() }),
      )
      return changed > 0
    },
    delete: (owner, id) =>
      db.transaction(async (trx) => {
        const deleted = await trx('stored_conversations').where(placed(owner, id)).delete()
        const rows = () => trx('stored_responses').where({ ...ownedBy(owner), conversation_hash: hashOf(id) })
        await trx('stored_response_items').whereIn('response_id', rows().select('id')).delete()
        await rows().delete()
        return deleted > 0
      }),
    trim: () =>
      inShortBatches((rowsMax) =>
        db.transaction((trx) =>
          trx('stored_conversations')
            .whereIn(
              ['user_id', 'token_id', 'id_hash'],
              trx('stored_conversations')
                .where('expires_at', '<=', now())
                .limit(rowsMax)
                .select('user_id', 'token_id', 'id_hash'),
            )
            .delete(),
        ),
      ),
  }
}
