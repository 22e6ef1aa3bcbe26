import type { Hold } from '../../../core/ledger/charge.ts'
import { BY_USAGE, holdQuota } from '../../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { wantOf } from './output.ts'

/** The number of prompts that a hold covers. The default is 1. Several attempts may extend the same hold. */
const coveredPrompts = new WeakMap<Hold, number>()

/** Extends a hold so that it covers the prompt `times` times. Rejects like `Ledger.hold`. */
export async function coverPrompts(
  { admitted, hold }: { admitted: Admitted; hold: Hold },
  times: number,
  toolkit: Pick<LocalToolkit, 'ledger' | 'pricing' | 'options'>,
): Promise<void> {
  const { price } = admitted
  const missingPrompts = times - (coveredPrompts.get(hold) ?? 1)
  // A price per call is charged only once.
  if (missingPrompts <= 0 || price.modelPrice !== BY_USAGE) return
  const { promptTokens, toolQuota } = wantOf(admitted, toolkit)
  const quotaPerPrompt = holdQuota(price, { promptTokens, completionTokens: 0 }) + toolQuota
  await toolkit.ledger.extend(hold, quotaPerPrompt * missingPrompts)
  coveredPrompts.set(hold, times)
}
