import type { Database } from '../db/database.ts'
import { withinDatabaseWait } from '../db/unavailable.ts'
import { deleteExpired } from '../delete-expired.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import { type JsonObject, openContent, sealContent } from './content.ts'
import { idHashOf, ownedBy, type ResponseOwner } from './rows.ts'

const HOUR_S = 3600

interface StoredConversation {
  readonly createdAt: number
  readonly metadata: JsonObject
}

/** Stores conversations by user and token for a limited time. Their items are in the response store. */
export type ConversationStore = ReturnType<typeof createConversationStore>

export function createConversationStore(parts: {
  db: Database
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>
  options: Pick<Options, 'get'>
  now: () => number
}) {
  const { db, secrets, options, now } = parts
  const expiry = () => now() + options.get(OPTIONS.ResponseStoreHours) * HOUR_S
  const keyOf = (owner: ResponseOwner, id: string) => ({ ...ownedBy(owner), id_hash: idHashOf(id) })

  return {
    async create(owner: ResponseOwner, id: string, metadata: JsonObject): Promise<StoredConversation> {
      const content = await sealContent(secrets, JSON.stringify(metadata))
      const createdAt = now()
      const row = { ...keyOf(owner, id), created_at: createdAt, expires_at: expiry(), content }
      await db.transaction((trx) => trx('stored_conversations').insert(row))
      return { createdAt, metadata }
    },
    /**
     * Returns a conversation, or undefined if this owner has no such conversation or it has expired. Restarts the
     * storage time of the conversation and its items, at most once an hour. Throws DATABASE_UNAVAILABLE.
     */
    async find(owner: ResponseOwner, id: string): Promise<StoredConversation | undefined> {
      const key = keyOf(owner, id)
      const row: { created_at: number; expires_at: number; content: Buffer } | undefined = await withinDatabaseWait(
        db
          .reader('stored_conversations')
          .where(key)
          .where('expires_at', '>', now())
          .first('created_at', 'expires_at', 'content'),
      )
      if (!row) return undefined
      const expires_at = expiry()
      if (Number(row.expires_at) < expires_at - HOUR_S) {
        const conversation_hash = key.id_hash
        await db.transaction(async (trx) => {
          await trx('stored_conversations').where(key).update({ expires_at })
          await trx('stored_responses')
            .where({ ...ownedBy(owner), conversation_hash })
            .update({ expires_at })
        })
      }
      return { createdAt: Number(row.created_at), metadata: await openContent<JsonObject>(secrets, row.content) }
    },
    /** Replaces the metadata. Returns false if the conversation does not exist or has expired. */
    async update(owner: ResponseOwner, id: string, metadata: JsonObject): Promise<boolean> {
      const content = await sealContent(secrets, JSON.stringify(metadata))
      const updatedRows = await db.transaction((trx) =>
        trx('stored_conversations')
          .where(keyOf(owner, id))
          .where('expires_at', '>', now())
          .update({ content, expires_at: expiry() }),
      )
      return updatedRows > 0
    },
    /** Deletes a conversation and its items. Returns whether it existed. */
    delete: (owner: ResponseOwner, id: string): Promise<boolean> =>
      db.transaction(async (trx) => {
        const deleted = await trx('stored_conversations').where(keyOf(owner, id)).delete()
        const rows = () => trx('stored_responses').where({ ...ownedBy(owner), conversation_hash: idHashOf(id) })
        await trx('stored_response_items').whereIn('response_id', rows().select('id')).delete()
        await rows().delete()
        return deleted > 0
      }),
    /** Deletes expired conversations and returns their number. */
    trim: (): Promise<number> =>
      deleteExpired(db, 'stored_conversations', {
        key: ['user_id', 'token_id', 'id_hash'],
        expired: (rows) => rows.where('expires_at', '<=', now()),
      }),
  }
}
