import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'

/** Why a balance changed, other than by a relay charge that has its own log row. */
export type EntryKind =
  | 'opening'
  | 'grant'
  | 'redemption'
  | 'topup'
  | 'invite'
  | 'transfer'
  | 'refund'
  | 'edit'
  /** The sum of charges whose log rows were cleared. */
  | 'carry'
  /** A charge made while consumption logging was off. */
  | 'charge'

export interface Entry {
  userId: number
  kind: EntryKind
  /** Signed quota: what the balance gains. */
  quota: number
  /** Who did it; 0 is the gateway itself. */
  actorId?: number
  /** What it was for. A second entry of the same kind and reference violates a unique index: nothing is booked twice. */
  reference?: string
  note?: string
}

/** Moves a balance and writes the entry that says why, in the caller's transaction. Answers the balance after it. */
export async function book(trx: Knex.Transaction, entry: Entry, now: number): Promise<number> {
  const { userId, kind, quota, actorId = 0, reference = null, note = '' } = entry
  if (!Number.isSafeInteger(quota)) throw new Error(`A ledger entry of ${quota} quota`)
  if ((await trx('users').where({ id: userId }).increment('quota', quota)) === 0) {
    throw new GatewayError('USER_NOT_FOUND', { id: userId })
  }
  const { quota: balance_after } = await trx('users').where({ id: userId }).first('quota')
  await trx('ledger_entries').insert({
    user_id: userId,
    kind,
    quota,
    balance_after,
    actor_id: actorId,
    reference,
    note,
    created_at: now,
  })
  return balance_after
}
