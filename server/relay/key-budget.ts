import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Budget } from '../../core/wallet/billing.ts'
import { exhausted, identify } from './authenticate.ts'

/**
 * What the holder of that key may spend, from wherever it is used: the allow list is for relays. Throws TOKEN_*, USER_DISABLED, and
 * TOKEN_EXHAUSTED when nothing is left, which is then written down.
 */
export async function budgetOfKey(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'wallet'>,
  key: string,
): Promise<Budget> {
  const { token, user } = await identify(toolkit, { key })
  const budget = await toolkit.wallet.budget({ tokenId: token.id, userId: user.id })
  if (budget.exhausted) {
    await toolkit.tokens.recordUnusable(token.id)
    throw exhausted(key)
  }
  return budget
}
