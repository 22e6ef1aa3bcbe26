import type { Hold } from '../../core/ledger/charge.ts'
import type { Usage } from '../../core/pricing/prices.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import type { Admitted } from './admission.ts'
import type { Tried } from './attempts.ts'
import { type End, toCharge } from './charge.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import type { Meter } from './meter.ts'
import { plainUsage } from './usage.ts'

/** A relay that an upstream has answered. */
export interface Served {
  admitted: Admitted
  hold: Hold
  served: Tried
  /** Milliseconds since the epoch. */
  startedAt: number
  firstTokenAt: number | undefined
  meter: Meter
  isStream: boolean
}

/** Charges a relay for what was used: as the upstream reported it, else counted here. Resolves when it is committed. */
export async function settleRelay(
  { admitted, hold, served, startedAt, firstTokenAt, meter, isStream }: Served,
  end: End,
  { ledger, pricing, tokenizer }: Pick<Toolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer },
): Promise<Usage> {
  const usage = meter.usage ?? (await countUsage(admitted, meter, tokenizer))
  const { channel, upstreamModel, tried } = served
  const charge = toCharge({
    ...admitted,
    upstreamModel,
    priceVersion: pricing.version,
    hold,
    channel,
    tried,
    isStream,
    startedAt,
    firstTokenAt,
    endedAt: Date.now(),
    usage,
    counted: meter.usage === undefined,
    end,
  })
  await ledger.settle(hold, charge)
  return usage
}

async function countUsage({ model, prompt }: Admitted, meter: Meter, tokenizer: Tokenizer): Promise<Usage> {
  const [promptTokens, completionTokens] = await Promise.all([
    tokenizer.count(model, prompt.texts),
    tokenizer.count(model, [meter.text]),
  ])
  return plainUsage(promptTokens + prompt.otherTokens, completionTokens + meter.otherTokens)
}
