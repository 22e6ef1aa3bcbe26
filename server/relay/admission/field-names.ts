import { isRecord } from '../../../core/records.ts'
import type { Body } from '../dialects/dialect.ts'
import { foldKey } from '../hosted/folded.ts'

/** The meanings of a field name at the top level of a body, as bits. */
export const FIELD = {
  /** Differs only in case from a name that affects the price. */
  variant: 1,
  /** Names other models that the upstream may use instead. */
  otherModels: 2,
  /** Names betas of Anthropic's API. */
  betas: 4,
  /** Selects a service tier or a region, which may cost more. */
  tier: 8,
  /** Selects a faster, more expensive mode in conversations. In other operations, `speed` is the speed of a voice. */
  speed: 16,
  /**
   * Selects the provider of a model at OpenRouter. Prices of providers differ:
   * https://openrouter.ai/docs/features/provider-routing
   */
  provider: 32,
  /** Affects the price. The name may have any case. */
  priced: 64,
  /** Contains fields that another gateway, as the upstream, copies into the body. */
  extra: 128,
} as const

/** Names of fields that affect the price. */
const PRICED = new Set([
  'model',
  'n',
  'best_of',
  'size',
  'quality',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tool_calls',
  'background',
  'stream',
  'service_tier',
])
const PRICED_FOLDED = new Set([...PRICED].map(foldKey))
/**
 * OpenRouter's fields for alternative models, or for presets with alternative models:
 * https://openrouter.ai/docs/features/model-routing, https://openrouter.ai/docs/features/presets
 */
const OTHER_MODELS = /^(models|fallbacks|route|preset)$/iu
/** Bedrock and Vertex AI read betas from the body. Some upstreams ignore the case of the name. */
const BETAS = /^anthropic_betas?$/i
// With the flags `iu`, `s` also matches `ſ`. Go's JSON parser does the same.
const TIER = /^(service[_-]?tier|inference[_-]?geo)$/iu
/** Claude's fast mode. */
const SPEED = /^speed$/iu

const PROVIDER = /^provider$/iu
const EXTRA = /^extra[_-]?body$/i

/** Cache of meanings, because many requests have the same names. */
const meaningCache = new Map<string, number>()
const CACHED_NAMES_MAX = 1000
const CACHED_LENGTH_MAX = 64

/** Returns the meanings of a name, as bits of FIELD. */
export function meaningOf(name: string): number {
  const cachedMeaning = meaningCache.get(name)
  if (cachedMeaning !== undefined) return cachedMeaning
  const meaning =
    (isVariant(name, PRICED) ? FIELD.variant : 0) |
    (OTHER_MODELS.test(name) ? FIELD.otherModels : 0) |
    (BETAS.test(name) ? FIELD.betas : 0) |
    (TIER.test(name) ? FIELD.tier : 0) |
    (SPEED.test(name) ? FIELD.speed : 0) |
    (PROVIDER.test(name) ? FIELD.provider : 0) |
    (PRICED_FOLDED.has(foldKey(name)) ? FIELD.priced : 0) |
    (EXTRA.test(name) ? FIELD.extra : 0)
  if (meaningCache.size < CACHED_NAMES_MAX && name.length <= CACHED_LENGTH_MAX) meaningCache.set(name, meaning)
  return meaning
}

/** Whether a name differs from one of `names` only in case. */
export function isVariant(name: string, names: ReadonlySet<string>): boolean {
  // Go's JSON parser treats ſ like s.
  return !names.has(name) && names.has(name.toLowerCase().replaceAll('ſ', 's'))
}

export function hasField(body: Body, meanings: number): boolean {
  for (const name in body) if ((meaningOf(name) & meanings) !== 0) return true
  return false
}

/** Removes fields with one of these meanings. Returns the same object if there are no such fields. */
export function withoutMeanings(body: Body, meanings: number): Body {
  if (!hasField(body, meanings)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => (meaningOf(name) & meanings) === 0))
}

/**
 * Removes fields that let an upstream use another model than the requested one. The requested model determines the
 * price, and only the operator may map that model to another model. Returns the same object if nothing is removed.
 */
export function withoutOtherModels(request: { raw: Buffer; body: Body }): { raw: Buffer; body: Body } {
  const body = withoutMeanings(request.body, FIELD.otherModels)
  return body === request.body ? request : { raw: Buffer.from(JSON.stringify(body)), body }
}

/** The meanings of fields that the gateway handles, but only at the top level of a body. */
const TOP_LEVEL_MEANINGS =
  FIELD.variant | FIELD.otherModels | FIELD.betas | FIELD.tier | FIELD.speed | FIELD.provider | FIELD.priced

/**
 * Removes the fields that affect the price from a body's `extra_body`, and from each `extra_body` nested in it. Returns
 * the same object if there are no such fields.
 */
export function withoutExtraPrice(body: Body): Body {
  if (!hasField(body, FIELD.extra)) return body
  let hasChanged = false
  const fields = Object.entries(body).map(([name, value]): [string, unknown] => {
    if ((meaningOf(name) & FIELD.extra) === 0 || !isRecord(value)) return [name, value]
    const cleanValue = withoutExtraPrice(withoutMeanings(value, TOP_LEVEL_MEANINGS))
    hasChanged ||= cleanValue !== value
    return [name, cleanValue]
  })
  return hasChanged ? Object.fromEntries(fields) : body
}
