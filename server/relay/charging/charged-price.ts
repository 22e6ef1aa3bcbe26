import { applyConditions, type Price } from '../../../core/pricing/prices.ts'
import { objectOf } from '../json.ts'
import type { AnsweredRelay } from './charge.ts'

/** Returns the price under the conditions of a relay: nearly always the price at admission. */
export function chargedPrice({ admitted, served, startedAt, meter }: AnsweredRelay, promptTokens: number): Price {
  const { price, body } = admitted
  if (!price.conditions) return price
  const { allowServiceTier } = served.channel.settings
  return applyConditions(price, {
    // The threshold applies to each request.
    promptTokens: promptTokens / meter.prompts,
    // Other channels do not forward the tier.
    tier: allowServiceTier ? wordIn(body.service_tier) : undefined,
    effort:
      wordIn(body.reasoning_effort) ??
      wordIn(objectOf(body.reasoning).effort) ??
      wordIn(objectOf(body.output_config).effort),
    at: startedAt,
  })
}

const wordIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
