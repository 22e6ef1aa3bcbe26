import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { fromJson, type JsonText } from '../db/json.ts'
import { GatewayError } from '../errors.ts'
import { type ClaimedRequest, idempotencyKeyOf } from '../idempotency.ts'
import { REDEMPTION_STATUS } from './status.ts'

/** Describes a batch of codes that was created in several calls. Each call has its own idempotency key. */
export interface CreatedCodesQuery {
  name: string
  quota: number
  total: number
  /** The idempotency keys, in the order of the calls. */
  idempotencyKeys: readonly string[]
}

/** The codes of a batch. */
export interface CreatedCodes {
  /** All created codes, including used, disabled and deleted codes. */
  codes: string[]
  /** Numbers of codes by status. */
  used: number
  disabled: number
  deleted: number
}

/**
 * Returns the codes that the calls with these keys created, up to the first unknown key. Throws
 * IDEMPOTENCY_KEY_INVALID, and IDEMPOTENCY_KEY_REUSED if a key belongs to another batch.
 */
export async function findCreatedCodes(
  connection: Knex,
  actor: Actor,
  { idempotencyKeys, ...batch }: CreatedCodesQuery,
): Promise<CreatedCodes> {
  const keys = idempotencyKeys.map(idempotencyKeyOf)
  const rows: { id: number; idempotency_key: string; request: JsonText<ClaimedRequest> }[] = await connection(
    'redemption_batches',
  )
    .where({ user_id: actor.id })
    .whereIn('idempotency_key', keys)
    .select('id', 'idempotency_key', 'request')
  const batchOf = new Map(rows.map((row) => [row.idempotency_key, row]))
  const unknownIndex = keys.findIndex((key) => !batchOf.has(key))
  const batches = keys.slice(0, unknownIndex === -1 ? undefined : unknownIndex).flatMap((key) => batchOf.get(key) ?? [])
  for (const { idempotency_key: key, request } of batches) {
    const { name, quota, total } = fromJson(request)
    if (name !== batch.name || quota !== batch.quota || total !== batch.total) {
      throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request })
    }
  }
  const ids = batches.map(({ id }) => id)
  const codes: { batch_id: number; key: string; status: number; deleted_at: string | null }[] = await connection(
    'redemptions',
  )
    .whereIn('batch_id', ids)
    .orderBy('id')
    .select('batch_id', 'key', 'status', 'deleted_at')
  // Sort by idempotency key, because the calls may have run in another order.
  const order = new Map(ids.map((id, index) => [id, index]))
  const ordered = codes.sort((a, b) => (order.get(a.batch_id) ?? 0) - (order.get(b.batch_id) ?? 0))
  const deleted = codes.filter(({ deleted_at }) => deleted_at !== null).length
  const withStatus = (wanted: number) =>
    codes.filter(({ status, deleted_at }) => deleted_at === null && status === wanted).length
  return {
    codes: ordered.map(({ key }) => key),
    used: withStatus(REDEMPTION_STATUS.used),
    disabled: withStatus(REDEMPTION_STATUS.disabled),
    deleted,
  }
}

/** Returns the codes that one call created, in the order of creation. Includes deleted codes. */
export async function codesOfCall(trx: Knex.Transaction, id: number): Promise<string[]> {
  return trx('redemptions').where({ batch_id: id }).orderBy('id').pluck('key')
}
