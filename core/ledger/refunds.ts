import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { BALANCE_MAX } from '../input.ts'
import { TOKEN_STATUS } from '../tokens/token.ts'
import { addCarried } from './carried.ts'
import type { Sign } from './chain.ts'
import { book } from './entries.ts'

/** The refund of a charge, or of a part of a charge. For example, a failed task is refunded. */
export interface Refund {
  userId: number
  /** Id of the token that paid the charge, or 0 if there was none. */
  tokenId: number
  channelId: number
  /** The quota to refund. */
  quota: number
  /** Identifies the charge. A reference is refunded only once. */
  reference: string
  note?: string
}

/**
 * Refunds to user, token and channel, in the caller's transaction. Returns the quota that was added to the balance,
 * which is less than `quota` if the balance would exceed BALANCE_MAX. Returns undefined if the reference was refunded
 * before, `quota` is 0, or the user is missing.
 *
 * Locks rows in the same order as a settlement: the user, the token, the channel.
 */
export async function refundCharge(
  trx: Knex.Transaction,
  { userId, tokenId, channelId, quota, reference, note = '' }: Refund,
  context: { now: number; sign: Sign },
): Promise<number | undefined> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A refund of ${quota} quota is invalid`)
  if (quota === 0) return undefined
  // If two processes refund the same charge, the second one waits here and then sees the entry of the first.
  const user = await trx('users').where({ id: userId }).forUpdate().first('quota')
  if (!user) return undefined
  if (await trx('ledger_entries').where({ kind: 'refund', reference }).first('id')) return undefined
  // Omit the excess above BALANCE_MAX instead of failing, because a full balance must not prevent the end of a task.
  const credited = Math.min(quota, Math.max(0, BALANCE_MAX - user.quota))
  const entryNote = credited === quota ? note : `${note} (${quota} charged, the balance is full)`
  await book(trx, { userId, kind: 'refund', quota: credited, reference, note: entryNote }, context)
  await trx('users').where({ id: userId }).decrement('used_quota', quota)
  if (tokenId) await refundToken(trx, tokenId, quota)
  await trx('channels').where({ id: channelId }).decrement('used_quota', quota)
  await addCarried(trx, 'user', [{ id: userId, quota: -quota }])
  await addCarried(trx, 'token', [{ id: tokenId, quota: -quota }])
  await addCarried(trx, 'channel', [{ id: channelId, quota: -quota }])
  return credited
}

async function refundToken(trx: Knex.Transaction, id: number, quota: number): Promise<void> {
  await trx('tokens')
    .where({ id })
    .decrement('used_quota', quota)
    .update({
      remain_quota: trx.raw('CASE WHEN remain_quota > ? THEN remain_quota ELSE remain_quota + ? END', [
        BALANCE_MAX - quota,
        quota,
      ]),
      // If the budget would exceed the maximum, it stays the same, and the granted quota decreases instead.
      granted_quota: trx.raw('CASE WHEN remain_quota > ? THEN granted_quota - ? ELSE granted_quota END', [
        BALANCE_MAX - quota,
        quota,
      ]),
    })
  // Enable the token if it was exhausted.
  const enabledTokens = await trx('tokens')
    .where({ id, status: TOKEN_STATUS.exhausted })
    .where('remain_quota', '>', 0)
    .update({ status: TOKEN_STATUS.enabled })
  if (enabledTokens) await recordChange(trx, 'token', [id])
}
