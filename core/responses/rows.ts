import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { inParts } from '../in-parts.ts'
import type { ObjectPlace } from '../stored-objects.ts'
import type { Rows } from '../tables/rows.ts'
import type { JsonObject } from './content.ts'

/** The owner of stored responses. It is a token, because a user may give tokens to several people. */
export interface ResponseOwner {
  readonly userId: number
  readonly tokenId: number
}

export const RESPONSE_COLUMNS = [
  ...['id', 'id_hash', 'previous_hash', 'conversation_hash', 'channel_id', 'key_digest', 'node_id', 'bytes'],
  ...['created_at', 'expires_at', 'content'],
] as const
export type ResponseRow = Pick<Rows['stored_responses'], (typeof RESPONSE_COLUMNS)[number]>

/** Maximum number of rows per statement, because SQLite limits the number of parameters. */
export const ROWS_MAX = 100
/** Maximum number of indexed items per response. Clients cannot refer to further items. */
const ITEMS_MAX = 1000

export const idHashOf = (id: string): string => createHash('sha256').update(id).digest('hex')

export const ownedBy = ({ userId, tokenId }: ResponseOwner) => ({ user_id: userId, token_id: tokenId })

export const responsePlaceOf = ({ channel_id, key_digest }: ResponseRow): ObjectPlace | undefined =>
  channel_id === 0 ? undefined : { channelId: channel_id, keyDigest: key_digest }

/** Indexes items by their ids. If an id is already in the index, its entry does not change. */
export async function indexItems(
  trx: Knex.Transaction,
  owner: ResponseOwner,
  { rowId, items }: { rowId: number; items: readonly JsonObject[] },
): Promise<void> {
  const ids = new Set(items.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : [])))
  const rows = [...ids]
    .slice(0, ITEMS_MAX)
    .map((id) => ({ ...ownedBy(owner), id_hash: idHashOf(id), response_id: rowId }))
    .sort((a, b) => (a.id_hash < b.id_hash ? -1 : 1))
  for (const part of inParts(rows, ROWS_MAX)) {
    await trx('stored_response_items').insert(part).onConflict(['user_id', 'token_id', 'id_hash']).ignore()
  }
}
