import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitHold, LimitUse, Queued } from '../../../core/limits/acquire.ts'
import type { LimitedRequest } from '../../../core/limits/applicable.ts'
import type { Counter } from '../../../core/limits/counter.ts'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import type { RelayWant } from '../charging/output.ts'
import { attachLimits } from './channel-limits.ts'

/**
 * Assumed output tokens of a reply without an output limit. When the reply has ended, the actual tokens are counted.
 */
const USUAL_OUTPUT_TOKENS = 512

/** Returns the amounts that a relay takes from limits: estimated tokens, and quota up to the relay's maximum cost. */
export function limitUse({ completionTokens }: Pick<Admitted, 'completionTokens'>, want: RelayWant): LimitUse {
  const output = want.output ? completionTokens || Math.min(want.output.tokens, USUAL_OUTPUT_TOKENS) : completionTokens
  return { tokens: want.promptTokens + output, quota: want }
}

type Limits = Pick<LocalToolkit, 'liveLimits' | 'ledger'>

/**
 * Takes amounts from the limits of a request. The end of the hold also ends the taken amounts. If a limit of quota
 * grants less than the hold, reduces the hold. Throws LIMIT_REACHED, or rejects with it.
 */
export function takeLimits(
  { liveLimits, ledger }: Limits,
  counters: readonly Counter[],
  { hold, use, queued }: { hold: Hold; use: LimitUse; queued?: Queued },
): Ready<void> {
  const { flexible } = use.quota
  const taking = liveLimits.acquire(counters, { tokens: use.tokens, quota: { quota: hold.quota, flexible } }, queued)
  const attach = (limitHold: LimitHold) => {
    attachLimits(hold, limitHold)
    if (limitHold.quotaGranted < hold.quota) ledger.reduce(hold, limitHold.quotaGranted)
  }
  return taking instanceof Promise ? taking.then(attach) : attach(taking)
}

/** Takes amounts from the limits of a session or a task, but no tokens. Releases the hold on an error. */
export async function takeLimitsOf(
  toolkit: Limits,
  request: LimitedRequest,
  { hold, queued }: { hold: Hold; queued?: Queued },
): Promise<Hold> {
  const { applicable } = toolkit.liveLimits
  if (!applicable?.hasCallerLimits) return hold
  const counters = applicable.countersOfCaller(request)
  if (counters.length === 0) return hold
  try {
    await takeLimits(toolkit, counters, {
      hold,
      use: { tokens: 0, quota: { quota: hold.quota } },
      ...(queued && { queued }),
    })
    return hold
  } catch (error) {
    toolkit.ledger.release(hold)
    throw error
  }
}
