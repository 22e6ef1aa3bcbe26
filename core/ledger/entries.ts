import type { Knex } from 'knex'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import { BALANCE_MAX } from '../input.ts'
import { appendEntries, type Sign } from './chain.ts'

/** The reason of a balance change. A charge of a relay normally has a log row instead of an entry. */
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
  /** A correction by `ledger repair`. */
  | 'correction'

export interface Entry {
  userId: number
  kind: EntryKind
  /** Quota that is added to the balance. Negative if the balance falls. */
  quota: number
  /** Id of the user who makes the change. 0 is the gateway. */
  actorId?: number
  /** Identifies the cause, such as a payment order. Unique among entries of the same kind. */
  reference?: string
  note?: string
}

/**
 * Changes a balance and writes its entry with the reason, in the caller's transaction. Returns the new balance. Throws
 * USER_NOT_FOUND, and BALANCE_TOO_LARGE if a credit would raise the balance above BALANCE_MAX.
 */
export async function book(
  trx: Knex.Transaction,
  entry: Entry,
  { now, sign }: { now: number; sign: Sign },
): Promise<number> {
  const { userId, kind, quota, actorId = 0, reference = null, note = '' } = entry
  if (!Number.isSafeInteger(quota)) throw new Error(`A ledger entry needs an integer quota, got ${quota}`)
  const account = () => trx('users').where({ id: userId })
  const creditableAccount = quota > 0 ? account().where('quota', '<=', BALANCE_MAX - quota) : account()
  if ((await creditableAccount.increment('quota', quota)) === 0) {
    if (await account().first('id')) throw new GatewayError('BALANCE_TOO_LARGE', { max: BALANCE_MAX })
    throw new GatewayError('USER_NOT_FOUND', { id: userId })
  }
  const { quota: balance_after } = requireRow(await account().first('quota'))
  const row = { user_id: userId, kind, quota, balance_after, actor_id: actorId, reference, note, created_at: now }
  await appendEntries(trx, [row], sign)
  return balance_after
}
