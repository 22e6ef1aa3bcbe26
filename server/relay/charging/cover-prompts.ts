import type { Hold } from '../../../core/ledger/charge.ts'
import { BY_USAGE, holdQuota } from '../../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { wantOf } from './output.ts'

/** Number of prompts per hold, if above one: each attempt may extend it. */
const covered = new WeakMap<Hold, number>()

/** Extends a hold of one prompt and the output of all replies to `times` prompts. Rejects like `Ledger.hold`. */
export async function coverPrompts(
  { admitted, hold }: { admitted: Admitted; hold: Hold },
  times: number,
  toolkit: Pick<LocalToolkit, 'ledger' | 'pricing' | 'options'>,
): Promise<void> {
  const { price } = admitted
  const missing = times - (covered.get(hold) ?? 1)
  // A price per call is charged once.
  if (missing <= 0 || price.modelPrice !== BY_USAGE) return
  const { promptTokens, toolQuota } = wantOf(admitted, toolkit)
  const once = holdQuota(price, { promptTokens, completionTokens: 0 }) + toolQuota
  await toolkit.ledger.extend(hold, once * missing)
  covered.set(hold, times)
}
