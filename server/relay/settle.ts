import type { Usage } from '../../core/pricing/prices.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import type { Admitted } from './admission.ts'
import { type AnsweredRelay, type End, toCharge } from './charge.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import type { Meter } from './meter.ts'
import { plainUsage } from './usage.ts'

/** Charges a relay for what was used: as the upstream reported it, else counted here. Resolves when it is committed. */
export async function settleRelay(
  relay: AnsweredRelay,
  end: End,
  { ledger, pricing, tokenizer }: Pick<Toolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer },
): Promise<Usage> {
  const { usage, counted } = await usageOf(relay, end, tokenizer)
  const charge = toCharge(relay, { usage, counted, end, priceVersion: pricing.version, endedAt: Date.now() })
  await ledger.settle(relay.hold, charge)
  return usage
}

/** What was used, and whether some of it was counted here. */
async function usageOf(
  { meter, admitted }: AnsweredRelay,
  end: End,
  tokenizer: Tokenizer,
): Promise<{ usage: Usage; counted: boolean }> {
  const reported = meter.usage
  if (reported && end === 'complete') return { usage: reported, counted: false }
  const counted = await countUsage(admitted, meter, tokenizer)
  // What was reported before a stream broke says nothing of what came after the report.
  if (reported && reported.completionTokens >= counted.completionTokens) return { usage: reported, counted: false }
  return { usage: { ...counted, ...reported, completionTokens: counted.completionTokens }, counted: true }
}

async function countUsage({ model, prompt }: Admitted, meter: Meter, tokenizer: Tokenizer): Promise<Usage> {
  const [promptTokens, completionTokens] = await Promise.all([
    tokenizer.count(model, prompt.texts),
    tokenizer.count(model, [meter.text]),
  ])
  return plainUsage(promptTokens + prompt.otherTokens, completionTokens + meter.otherTokens)
}
