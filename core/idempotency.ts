import type { Knex } from 'knex'
import type { Actor } from './actor.ts'
import { GatewayError } from './errors.ts'

/** Under which key a request is carried out only once. Keys are the sender's own, and are kept for good. */
export interface Idempotency {
  idempotencyKey: string
}

interface Claim {
  actor: Actor
  /** What is asked for, always in one order: requests are compared as texts, of 255 characters at most. */
  request: Readonly<Record<string, string | number>>
  /** Unix seconds. */
  now: number
}

const KEY_LENGTH_MAX = 255
/** What a header can carry. */
const KEY = /^[\x20-\x7e]+$/

/**
 * The row that the key stands for, and whether its request has been carried out already; to be asked inside the transaction that
 * does so. Two that ask at once: the unique index lets one in, and the other waits for the end of its transaction. Throws
 * IDEMPOTENCY_KEY_INVALID, and IDEMPOTENCY_KEY_REUSED for a key of another request.
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
  const [claimed] = (await trx(table)
    .insert({ ...owned, request: asked, created_time: now })
    .onConflict(['user_id', 'idempotency_key'])
    .ignore()
    .returning('id')) as { id: number }[]
  if (claimed) return { id: claimed.id, made: false }
  const known = await trx(table).where(owned).first('id', 'request')
  if (known.request !== asked) throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request: known.request })
  return { id: known.id, made: true }
}

/** Whether a change of a balance has been made under that key already; what has none is always new. Throws as `claimKey`. */
export async function madeBefore(
  trx: Knex.Transaction,
  claim: Claim,
  idempotency: Idempotency | undefined,
): Promise<boolean> {
  return idempotency !== undefined && (await claimKey(trx, 'balance_requests', claim, idempotency)).made
}

/** A key as it is stored, without spaces around it. Throws IDEMPOTENCY_KEY_INVALID. */
export function keyOf(text: string): string {
  const key = text.trim()
  if (KEY.test(key) && key.length <= KEY_LENGTH_MAX) return key
  throw new GatewayError('IDEMPOTENCY_KEY_INVALID', { max: KEY_LENGTH_MAX })
}
