import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Budget } from '../../../core/wallet/billing.ts'
import { exhausted, identify } from './authenticate.ts'

/**
 * What the holder of that key may spend. Without an address the key's allow list is not checked: for a command at the
 * database. Throws TOKEN_*, USER_DISABLED, and TOKEN_EXHAUSTED when nothing is left, which is then written down.
 */
export async function budgetOfKey(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'wallet'>,
  key: string,
  address?: string,
): Promise<Budget> {
  const { token, user } = await identify(toolkit, { key, ...(address !== undefined && { address }) })
  const budget = await toolkit.wallet.budget({ tokenId: token.id, userId: user.id })
  if (budget.exhausted) {
    await toolkit.tokens.recordUnusable(token.id)
    throw exhausted(key)
  }
  return budget
}
