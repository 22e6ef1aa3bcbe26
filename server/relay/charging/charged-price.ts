import { applyConditions, type Price } from '../../../core/pricing/prices.ts'
import type { Body } from '../dialects/dialect.ts'
import { objectOf } from '../json.ts'
import type { AnsweredRelay } from './charge.ts'

/** Returns the price under the conditions of a relay: nearly always the price at admission. */
export function chargedPrice({ admitted, served, startedAt, meter }: AnsweredRelay, promptTokens: number): Price {
  const { price, body } = admitted
  if (!price.conditions) return price
  const { allowServiceTier } = served.channel.settings
  const requested = requestedTier(body)
  return applyConditions(price, {
    // The threshold applies to each request.
    promptTokens: promptTokens / meter.prompts,
    // Other channels do not forward the tier.
    // The upstream may serve another tier than the requested one, and charges that.
    tier: allowServiceTier && requested !== undefined ? (meter.tier ?? requested) : undefined,
    effort:
      wordIn(body.reasoning_effort) ??
      wordIn(objectOf(body.reasoning).effort) ??
      wordIn(objectOf(body.output_config).effort),
    at: startedAt,
  })
}

/** Returns the service tier that a request names: OpenAI's and Anthropic's, Gemini's, or Claude's fast mode. */
export function requestedTier({ service_tier, serviceTier, speed }: Body): string | undefined {
  return wordIn(service_tier) ?? wordIn(serviceTier)?.toLowerCase() ?? wordIn(speed)
}

const wordIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
