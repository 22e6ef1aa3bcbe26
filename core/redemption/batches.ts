import type { Knex } from 'knex'
import type { Actor } from '../actor.ts'
import { GatewayError } from '../errors.ts'
import type { NewCodes } from './redemption.ts'

/** Under which key a request makes its codes only once. Keys are the creator's own, and are kept for good. */
export interface Idempotency {
  idempotencyKey: string
  /** Answer the codes that the key has made, or none; make none. */
  replayOnly?: boolean
}

const KEY_LENGTH_MAX = 255
/** What a header can carry. */
const KEY = /^[\x20-\x7e]+$/

/**
 * The batch that the key stands for, and whether its codes are there already; with `replayOnly` undefined when it is not. Two that
 * ask at once: the unique index lets one in, and the other waits until the codes of the first are there. Throws
 * IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED.
 */
export async function claimBatch(
  trx: Knex.Transaction,
  { actor, request, now }: { actor: Actor; request: Required<NewCodes>; now: number },
  { idempotencyKey, replayOnly = false }: Idempotency,
): Promise<{ id: number; made: boolean } | undefined> {
  const key = idempotencyKey.trim()
  if (!KEY.test(key) || key.length > KEY_LENGTH_MAX) {
    throw new GatewayError('IDEMPOTENCY_KEY_INVALID', { max: KEY_LENGTH_MAX })
  }
  const { name, quota, count, total } = request
  // In one order always: requests are compared as texts.
  const asked = JSON.stringify({ name, quota, count, total })
  const owned = { user_id: actor.id, idempotency_key: key }
  if (!replayOnly) {
    const [claimed] = (await trx('redemption_batches')
      .insert({ ...owned, request: asked, created_time: now })
      .onConflict(['user_id', 'idempotency_key'])
      .ignore()
      .returning('id')) as { id: number }[]
    if (claimed) return { id: claimed.id, made: false }
  }
  const known = await trx('redemption_batches').where(owned).first('id', 'request')
  if (!known) return undefined
  if (known.request !== asked) {
    throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { key, request: known.request })
  }
  return { id: known.id, made: true }
}

/** All codes of a batch, deleted ones too, in the order that they were made in. */
export async function codesOfBatch(trx: Knex.Transaction, id: number): Promise<string[]> {
  return trx('redemptions').where({ batch_id: id }).orderBy('id').pluck('key')
}
