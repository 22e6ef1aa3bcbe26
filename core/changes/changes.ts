import type { Knex } from 'knex'

/** The name PostgreSQL processes listen on. */
export const CHANGES_CHANNEL = 'tollgate_changes'

/** What the relay holds in memory and must reload when somebody edits it. */
export type ChangedEntity = 'option' | 'channel' | 'token' | 'user'

/** Appends to the change feed, in the transaction that makes the change: both are seen, or neither. */
export async function recordChange(
  trx: Knex.Transaction,
  entity: ChangedEntity,
  ids: (number | string)[],
): Promise<void> {
  if (ids.length === 0) return
  const created_at = Math.floor(Date.now() / 1000)
  const rows = ids.map((id) => ({ entity, entity_id: String(id), created_at }))
  await trx.batchInsert('changes', rows, 200)
  if (trx.client.dialect === 'postgresql') await trx.raw(`NOTIFY ${CHANGES_CHANNEL}`)
}
