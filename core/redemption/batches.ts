import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import { keyOf } from '../idempotency.ts'
import type { NewCodes } from './redemption.ts'
import { REDEMPTION_STATUS } from './status.ts'

/** A batch that is created in several calls, each with its own idempotency key. */
export interface MadeQuery {
  name: string
  quota: number
  total: number
  /** In the order of the calls. */
  idempotencyKeys: readonly string[]
}

/** The created codes, and how many are used, disabled or deleted. */
export interface MadeCodes {
  codes: string[]
  used: number
  disabled: number
  deleted: number
}

/**
 * Returns the codes created under these keys, up to the first key without codes. Throws IDEMPOTENCY_KEY_REUSED for a key of another
 * batch.
 */
export async function codesMade(
  connection: Knex,
  actor: Actor,
  { idempotencyKeys, ...batch }: MadeQuery,
): Promise<MadeCodes> {
  const keys = idempotencyKeys.map(keyOf)
  const rows: { id: number; idempotency_key: string; request: string }[] = await connection('redemption_batches')
    .where({ user_id: actor.id })
    .whereIn('idempotency_key', keys)
    .select('id', 'idempotency_key', 'request')
  const known = new Map(rows.map((row) => [row.idempotency_key, row]))
  const absent = keys.findIndex((key) => !known.has(key))
  const found = keys.slice(0, absent === -1 ? undefined : absent).flatMap((key) => known.get(key) ?? [])
  for (const { idempotency_key: key, request } of found) {
    const { name, quota, total } = JSON.parse(request) as Required<NewCodes>
    if (name !== batch.name || quota !== batch.quota || total !== batch.total) {
      throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request })
    }
  }
  const ids = found.map(({ id }) => id)
  const codes: { batch_id: number; key: string; status: number; deleted_at: string | null }[] = await connection(
    'redemptions',
  )
    .whereIn('batch_id', ids)
    .orderBy('id')
    .select('batch_id', 'key', 'status', 'deleted_at')
  // The calls may have run in another order than their keys.
  const place = new Map(ids.map((id, at) => [id, at]))
  const ordered = codes.sort((a, b) => (place.get(a.batch_id) ?? 0) - (place.get(b.batch_id) ?? 0))
  const deleted = codes.filter(({ deleted_at }) => deleted_at !== null).length
  const [disabled, used] = [REDEMPTION_STATUS.disabled, REDEMPTION_STATUS.used].map(
    (wanted) => codes.filter(({ status, deleted_at }) => deleted_at === null && status === wanted).length,
  ) as [number, number]
  return { codes: ordered.map(({ key }) => key), used, disabled, deleted }
}

/** Returns all codes of a batch in creation order, including deleted ones. */
export async function codesOfBatch(trx: Knex.Transaction, id: number): Promise<string[]> {
  return trx('redemptions').where({ batch_id: id }).orderBy('id').pluck('key')
}
