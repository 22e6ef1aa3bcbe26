import type { Knex } from 'knex'
import type { Actor } from './actor.ts'
import { toJson } from './db/json.ts'
import { requireRow } from './db/require-row.ts'
import { GatewayError } from './errors.ts'

/** A key with which a request is executed only once. Keys belong to the acting user and are kept permanently. */
export interface Idempotency {
  idempotencyKey: string
}

export type ClaimedRequest = Readonly<Record<string, string | number>>

interface Claim {
  actor: Actor
  /** The request. It is compared as JSON text of at most 255 characters, so the order of its fields must be fixed. */
  request: ClaimedRequest
  /** Unix seconds. */
  now: number
}

const KEY_LENGTH_MAX = 255
/** Printable ASCII, because other characters are not safe in HTTP headers. */
const KEY = /^[\x20-\x7e]+$/

/**
 * Claims a key. Returns the id of the key's row, and whether the request was executed before (`made`). Call it inside
 * the transaction that executes the request. The unique index then makes a concurrent request with the same key wait
 * for this transaction. Throws IDEMPOTENCY_KEY_INVALID, and IDEMPOTENCY_KEY_REUSED if the key was used for another
 * request.
 */
export async function claimKey(
  trx: Knex.Transaction,
  table: 'redemption_batches' | 'balance_requests',
  { actor, request, now }: Claim,
  { idempotencyKey }: Idempotency,
): Promise<{ id: number; made: boolean }> {
  const key = idempotencyKeyOf(idempotencyKey)
  const requestText = toJson(request)
  const ownedKey = { user_id: actor.id, idempotency_key: key }
  const [claimed] = await trx(table)
    .insert({ ...ownedKey, request: requestText, created_time: now })
    .onConflict(['user_id', 'idempotency_key'])
    .ignore()
    .returning('id')
  if (claimed) return { id: claimed.id, made: false }
  const existingRow = requireRow(await trx(table).where(ownedKey).first('id', 'request'))
  if (existingRow.request !== requestText)
    throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request: existingRow.request })
  return { id: existingRow.id, made: true }
}

/** Claims the key, if any, of a balance change. Returns whether the change was made before. Throws like `claimKey`. */
export async function wasExecuted(
  trx: Knex.Transaction,
  claim: Claim,
  idempotency: Idempotency | undefined,
): Promise<boolean> {
  return idempotency !== undefined && (await claimKey(trx, 'balance_requests', claim, idempotency)).made
}

/** Returns the trimmed key. Throws IDEMPOTENCY_KEY_INVALID. */
export function idempotencyKeyOf(text: string): string {
  const key = text.trim()
  if (KEY.test(key) && key.length <= KEY_LENGTH_MAX) return key
  throw new GatewayError('IDEMPOTENCY_KEY_INVALID', { max: KEY_LENGTH_MAX })
}
