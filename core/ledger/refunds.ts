import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { BALANCE_MAX } from '../input.ts'
import { TOKEN_STATUS } from '../tokens/token.ts'
import { addCarried } from './carried.ts'
import type { Sign } from './chain.ts'
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
 * Gives a charge back to user, token and channel, in the caller's transaction. Answers what the balance gained: less than was
 * charged where it would pass BALANCE_MAX. Undefined: it was given back before, there is nothing to give, or no such user.
 *
 * Rows are locked as a settlement locks them: the user, the token, the channel.
 */
export async function giveBack(
  trx: Knex.Transaction,
  { userId, tokenId, channelId, quota, reference, note = '' }: Refund,
  context: { now: number; sign: Sign },
): Promise<number | undefined> {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new Error(`A refund of ${quota} quota`)
  if (quota === 0) return undefined
  // Whoever comes second waits here for the first, and then finds its entry.
  const user = await trx('users').where({ id: userId }).forUpdate().first('quota')
  if (!user) return undefined
  if (await trx('ledger_entries').where({ kind: 'refund', reference }).first('id')) return undefined
  // Whoever has that much must not keep a task from ever ending: what does not fit is not given.
  const credited = Math.min(quota, Math.max(0, BALANCE_MAX - user.quota))
  const why = credited === quota ? note : `${note} (${quota} charged, the balance is full)`
  await book(trx, { userId, kind: 'refund', quota: credited, reference, note: why }, context)
  await trx('users').where({ id: userId }).decrement('used_quota', quota)
  if (tokenId) await giveBackToToken(trx, tokenId, quota)
  await trx('channels').where({ id: channelId }).decrement('used_quota', quota)
  await addCarried(trx, 'user', [{ id: userId, quota: -quota }])
  await addCarried(trx, 'token', [{ id: tokenId, quota: -quota }])
  await addCarried(trx, 'channel', [{ id: channelId, quota: -quota }])
  return credited
}

async function giveBackToToken(trx: Knex.Transaction, id: number, quota: number): Promise<void> {
  await trx('tokens')
    .where({ id })
    .decrement('used_quota', quota)
    .update({
      remain_quota: trx.raw('CASE WHEN remain_quota > ? THEN remain_quota ELSE remain_quota + ? END', [
        BALANCE_MAX - quota,
        quota,
      ]),
      // What does not fit is not given.
      granted_quota: trx.raw('CASE WHEN remain_quota > ? THEN granted_quota - ? ELSE granted_quota END', [
        BALANCE_MAX - quota,
        quota,
      ]),
    })
  // A token that had nothing left works again.
  const revived = await trx('tokens')
    .where({ id, status: TOKEN_STATUS.exhausted })
    .where('remain_quota', '>', 0)
    .update({ status: TOKEN_STATUS.enabled })
  if (revived) await recordChange(trx, 'token', [id])
}
