import type { Knex } from 'knex'
import type { Actor } from './actor.ts'
import { requireRow } from './db/require-row.ts'
import { GatewayError } from './errors.ts'

/** A key under which a request is executed only once. Keys belong to the sender and are kept permanently. */
export interface Idempotency {
  idempotencyKey: string
}

interface Claim {
  actor: Actor
  /** The request, with a fixed order of fields: compared as JSON text of at most 255 characters. */
  request: Readonly<Record<string, string | number>>
  /** Unix seconds. */
  now: number
}

const KEY_LENGTH_MAX = 255
/** Characters that a header can carry. */
const KEY = /^[\x20-\x7e]+$/

/**
 * Returns the key's row, and whether its request was already executed; call it inside the transaction that executes it. The unique
 * index makes a concurrent request wait for that transaction. Throws IDEMPOTENCY_KEY_INVALID, and IDEMPOTENCY_KEY_REUSED for a key
 * of another request.
 */
export async function claimKey(
  trx: Knex.Transaction,
  table: 'redemption_batches' | 'balance_requests',
  { actor, request, now }: Claim,
  { idempotencyKey }: Idempotency,
): Promise<{ id: number; made: boolean }> {
  const key = keyOf(idempotencyKey)
  const asked = JSON.stringify(request)
  const owned = { user_id: actor.id, idempotency_key: key }
  const [claimed] = await trx(table)
    .insert({ ...owned, request: asked, created_time: now })
    .onConflict(['user_id', 'idempotency_key'])
    .ignore()
    .returning('id')
  if (claimed) return { id: claimed.id, made: false }
  const known = requireRow(await trx(table).where(owned).first('id', 'request'))
  if (known.request !== asked) throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request: known.request })
  return { id: known.id, made: true }
}

/** Whether a balance change was already made with that key; false without a key. Throws as `claimKey`. */
export async function madeBefore(
  trx: Knex.Transaction,
  claim: Claim,
  idempotency: Idempotency | undefined,
): Promise<boolean> {
  return idempotency !== undefined && (await claimKey(trx, 'balance_requests', claim, idempotency)).made
}

/** Returns the trimmed key. Throws IDEMPOTENCY_KEY_INVALID. */
export function keyOf(text: string): string {
  const key = text.trim()
  if (KEY.test(key) && key.length <= KEY_LENGTH_MAX) return key
  throw new GatewayError('IDEMPOTENCY_KEY_INVALID', { max: KEY_LENGTH_MAX })
}
