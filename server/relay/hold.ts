import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import type { Want } from '../../core/ledger/want.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Caller } from './authenticate.ts'

/**
 * Sets quota of a caller aside, and of the key's budget if it has one. Throws INSUFFICIENT_QUOTA, INSUFFICIENT_TOKEN_QUOTA; a
 * key that has nothing left is marked so.
 */
export async function holdFor(
  { ledger, tokens }: Pick<LocalToolkit, 'ledger' | 'tokens'>,
  { user, token }: Pick<Caller, 'user' | 'token'>,
  { quota, flexible }: Want,
): Promise<Hold> {
  try {
    return await ledger.hold({ userId: user.id, budgetTokenId: token.unlimited ? 0 : token.id, quota, flexible })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'INSUFFICIENT_TOKEN_QUOTA' && error.params.available === 0) {
      await tokens.recordUnusable(token.id)
    }
    throw error
  }
}
