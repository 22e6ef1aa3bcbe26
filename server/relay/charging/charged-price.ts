import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { applyConditions, type Price } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import { FIELD, hasField } from '../admission/field-names.ts'
import type { Body } from '../dialects/dialect.ts'
import type { AnsweredRelay } from './charge.ts'

/**
 * Returns the price that applies to a relay. Only a price with conditions may differ from the price at admission.
 */
export function chargedPrice({ admitted, served, startedAt, meter }: AnsweredRelay, promptTokens: number): Price {
  const { price, body } = admitted
  if (!price.conditions) return price
  return applyConditions(price, {
    // A threshold applies to the prompt of each single request to the upstream.
    promptTokens: promptTokens / meter.prompts,
    tier: tierOf({ admitted, served, meter }),
    effort:
      wordIn(body.reasoning_effort) ??
      wordIn(recordOf(body.reasoning).effort) ??
      wordIn(recordOf(body.output_config).effort),
    at: startedAt,
  })
}

/**
 * Returns the service tier to charge: the tier that the upstream reports, or else the requested tier. The tier in a
 * translated request is ignored, because the upstream may not have received it.
 */
function tierOf({ admitted, served, meter }: Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>): string | undefined {
  const { body, entry } = admitted
  // Without this setting, the channel does not forward the tier.
  if (!served.channel.settings.allowServiceTier || !namesTier(body)) return undefined
  if (meter.tier !== undefined) return meter.tier
  const { result } = served
  return !('native' in result) || result.native ? requestedTier(body, entry.dialect) : undefined
}

/** Whether a request names a service tier, or Claude's fast mode. Accepts any spelling that an upstream may accept. */
export function namesTier(body: Body): boolean {
  return hasField(body, FIELD.tier | FIELD.speed)
}

/** Returns the requested tier, which each client format has in another field. */
function requestedTier({ service_tier, serviceTier, speed }: Body, dialect: DialectName): string | undefined {
  if (dialect === 'gemini') return wordIn(serviceTier)?.toLowerCase()
  return dialect === 'anthropic-messages' && speed === 'fast' ? speed : wordIn(service_tier)
}

const wordIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
