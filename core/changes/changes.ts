import type { Knex } from 'knex'

/** The PostgreSQL channel on which processes listen. */
export const CHANGES_CHANNEL = 'tollgate_changes'

/** Data that the relay caches and must reload after an edit. */
export type ChangedEntity = 'option' | 'channel' | 'token' | 'user' | 'limit'

/** Adds rows to the change feed in the transaction of the change, so that other processes see both together. */
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
