import { GatewayError } from '../../core/errors.ts'
import type { Hold } from '../../core/ledger/charge.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Caller } from './authenticate.ts'

/** Sets quota aside for a caller. Throws INSUFFICIENT_*; a key with nothing left is marked so. */
export async function holdFor(
  { ledger, tokens }: Pick<LocalToolkit, 'ledger' | 'tokens'>,
  { token, user }: Pick<Caller, 'token' | 'user'>,
  quota: number,
): Promise<Hold> {
  try {
    return await ledger.hold({ userId: user.id, budgetTokenId: token.unlimited ? 0 : token.id, quota })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'INSUFFICIENT_TOKEN_QUOTA' && error.params.available === 0) {
      await tokens.recordUnusable(token.id)
    }
    throw error
  }
}
