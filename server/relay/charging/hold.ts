import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Want } from '../../../core/ledger/want.ts'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import type { Caller } from '../admission/authenticate.ts'
import { withCallLimit } from '../hosted/call-limit.ts'
import { type RelayWant, wantOf } from './output.ts'

/**
 * Holds quota of a caller. If the key has a budget, also holds quota of the budget. Rejects with INSUFFICIENT_QUOTA or
 * INSUFFICIENT_TOKEN_QUOTA. If the budget is used up, stores the key's status `exhausted`.
 */
export function holdFor(
  { ledger, tokens }: Pick<LocalToolkit, 'ledger' | 'tokens'>,
  { user, token }: Pick<Caller, 'user' | 'token'>,
  { quota, flexible }: Want,
): Ready<Hold> {
  const hold = ledger.hold({ userId: user.id, budgetTokenId: token.unlimited ? 0 : token.id, quota, flexible })
  if (!(hold instanceof Promise)) return hold
  return hold.catch(async (error) => {
    if (error instanceof GatewayError && error.code === 'INSUFFICIENT_TOKEN_QUOTA' && error.params.available === 0) {
      await tokens.recordUnusable(token.id)
    }
    throw error
  })
}

/**
 * Holds the maximum cost of a relay. Limits the calls of hosted tools to the client's limit or, without one, to a
 * default. If the balance does not cover the default, the limit is one call. Rejects like `holdFor`.
 */
export function holdRelay(admitted: Admitted, toolkit: LocalToolkit): Ready<HeldRelay> {
  const want = wantOf(admitted, toolkit)
  const withLimitedCalls = admitted.hosted ? withCallLimit(admitted) : admitted
  const toHeldRelay = (hold: Hold) => ({ admitted: withLimitedCalls, want, hold })
  const hold = holdFor(toolkit, admitted.caller, want)
  if (!(hold instanceof Promise)) return toHeldRelay(hold)
  return hold.then(toHeldRelay, (error) => {
    const { hosted } = admitted
    const isShort = error instanceof GatewayError && error.kind === 'insufficient'
    if (!isShort || !hosted?.isDefaultLimit || hosted.limit === 1) throw error
    return holdRelay({ ...admitted, hosted: { ...hosted, limit: 1 } }, toolkit)
  })
}

export interface HeldRelay {
  readonly admitted: Admitted
  readonly want: RelayWant
  readonly hold: Hold
}
