import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import { NEVER } from '../tokens/token.ts'

/** The budget of a key. Amounts are in dollars, or in quota if DisplayInCurrencyEnabled is off. */
export interface Budget {
  /** Used plus remaining budget; `UNLIMITED` for an unlimited key. */
  limit: number
  used: number
  /** Unix seconds. 0 if the key does not expire or DisplayTokenStatEnabled is off. */
  accessUntil: number
  /** Whether the key's own budget is used up. */
  exhausted: boolean
}

/** The `limit` of an unlimited key. Clients expect a number. */
export const UNLIMITED = 100_000_000

/**
 * Returns the budget of a key, or of its owner if DisplayTokenStatEnabled is off. Throws TOKEN_INVALID if the key or its
 * owner does not exist.
 */
export async function budgetOf(
  { tokenId, userId }: { tokenId: number; userId: number },
  { db, options }: { db: Database; options: Options },
): Promise<Budget> {
  const token = await db
    .reader('tokens')
    .where({ id: tokenId })
    .first('remain_quota', 'used_quota', 'unlimited_quota', 'expired_time')
  const user = await db.reader('users').where({ id: userId }).first('quota', 'used_quota')
  if (!token || !user) throw new GatewayError('TOKEN_INVALID')
  const perUnit = options.get(OPTIONS.DisplayInCurrencyEnabled) ? options.get(OPTIONS.QuotaPerUnit) : 1
  const exhausted = !token.unlimited_quota && token.remain_quota <= 0
  if (!options.get(OPTIONS.DisplayTokenStatEnabled)) {
    const { quota, used_quota } = user
    return { limit: (quota + used_quota) / perUnit, used: used_quota / perUnit, accessUntil: 0, exhausted }
  }
  const { remain_quota, used_quota, expired_time } = token
  return {
    limit: token.unlimited_quota ? UNLIMITED : (remain_quota + used_quota) / perUnit,
    used: used_quota / perUnit,
    accessUntil: expired_time === NEVER ? 0 : expired_time,
    exhausted,
  }
}
