import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { TOKEN_STATUS } from '../tokens/token.ts'
import { book } from './entries.ts'

/** A charge that goes back whole, because what it paid for was never delivered. */
export interface Refund {
  userId: number
  /** 0: none paid with it. */
  tokenId: number
  channelId: number
  /** What was charged. */
  quota: number
  /** What was charged for: the same reference is given back once. */
  reference: string
  note?: string
}

/**
 * Gives a charge back to user, token and channel, in the caller's transaction. `false`: it was given back before, or there is
 * nothing to give. Throws as `book` does.
 */
export async function giveBack(
  trx: Knex.Transaction,
  { userId, tokenId, channelId, quota, reference, note = '' }: Refund,
  now: number,
): Promise<boolean> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A refund of ${quota} quota`)
  if (quota === 0) return false
  // Whoever comes second waits here for the first, and then finds its entry.
  await trx('users').where({ id: userId }).forUpdate().first('id')
  if (await trx('ledger_entries').where({ kind: 'refund', reference }).first('id')) return false
  await book(trx, { userId, kind: 'refund', quota, reference, note }, now)
  await trx('users').where({ id: userId }).decrement('used_quota', quota)
  if (tokenId) {
    await trx('tokens').where({ id: tokenId }).increment('remain_quota', quota).decrement('used_quota', quota)
    const revived = await trx('tokens')
      .where({ id: tokenId, status: TOKEN_STATUS.exhausted })
      .where('remain_quota', '>', 0)
      .update({ status: TOKEN_STATUS.enabled })
    if (revived) await recordChange(trx, 'token', [tokenId])
  }
  await trx('channels').where({ id: channelId }).decrement('used_quota', quota)
  return true
}
