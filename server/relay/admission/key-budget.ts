import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Budget } from '../../../core/wallet/billing.ts'
import { exhaustedError, identifyCaller } from './authenticate.ts'

/**
 * Returns the budget of a key. If the budget is exhausted, stores this status in the key's row and throws
 * TOKEN_EXHAUSTED. Also throws TOKEN_*, USER_DISABLED. Without `address`, skips the key's list of allowed addresses.
 */
export async function budgetOfKey(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'wallet'>,
  key: string,
  address?: string,
): Promise<Budget> {
  const { token, user } = await identifyCaller(toolkit, { key, ...(address !== undefined && { address }) })
  const budget = await toolkit.wallet.budget({ tokenId: token.id, userId: user.id })
  if (budget.exhausted) {
    await toolkit.tokens.recordUnusable(token.id)
    throw exhaustedError(key)
  }
  return budget
}
