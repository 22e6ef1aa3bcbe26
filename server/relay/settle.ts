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
  const { meter, admitted } = relay
  const usage = meter.usage ?? (await countUsage(admitted, meter, tokenizer))
  const counted = meter.usage === undefined
  const charge = toCharge(relay, { usage, counted, end, priceVersion: pricing.version, endedAt: Date.now() })
  await ledger.settle(relay.hold, charge)
  return usage
}

async function countUsage({ model, prompt }: Admitted, meter: Meter, tokenizer: Tokenizer): Promise<Usage> {
  const [promptTokens, completionTokens] = await Promise.all([
    tokenizer.count(model, prompt.texts),
    tokenizer.count(model, [meter.text]),
  ])
  return plainUsage(promptTokens + prompt.otherTokens, completionTokens + meter.otherTokens)
}
