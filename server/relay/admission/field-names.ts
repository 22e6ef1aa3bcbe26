import type { Body } from '../dialects/dialect.ts'

/** The meanings of a field name at the top level of a body, as bits. */
export const FIELD = {
  /** Another spelling (case) of a name that affects the price. */
  variant: 1,
  /** Lists other models that the upstream may use. */
  otherModels: 2,
  /** Betas of Anthropic's API. */
  betas: 4,
  /** A more expensive service tier or region. */
  tier: 8,
  /** The same, but only in conversations; elsewhere `speed` is the speed of a voice. */
  speed: 16,
  /**
   * Chooses among OpenRouter's providers of a model, whose prices differ: https://openrouter.ai/docs/features/provider-routing
   */
  provider: 32,
} as const

/** Fields that affect the price. */
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
/**
 * OpenRouter's fields for alternative models, or for account presets that name them, in any spelling:
 * https://openrouter.ai/docs/features/model-routing, https://openrouter.ai/docs/features/presets
 */
const OTHER_MODELS = /^(models|fallbacks|route|preset)$/iu
/** Bedrock and Vertex AI read the betas in the body; some upstreams ignore case. */
const BETAS = /^anthropic_betas?$/i
// With `u`, `s` also matches `ſ`, as in Go.
const TIER = /^(service[_-]?tier|inference[_-]?geo)$/iu
/** Claude's fast mode. */
const SPEED = /^speed$/iu

const PROVIDER = /^provider$/iu

/** Cache of meanings: names repeat from request to request. Names beyond the limits are evaluated each time. */
const known = new Map<string, number>()
const KNOWN_MAX = 1000
const LENGTH_MAX = 64

/** Returns the meanings of a name, as bits of FIELD. */
export function meaningOf(name: string): number {
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const meaning =
    (isVariant(name) ? FIELD.variant : 0) |
    (OTHER_MODELS.test(name) ? FIELD.otherModels : 0) |
    (BETAS.test(name) ? FIELD.betas : 0) |
    (TIER.test(name) ? FIELD.tier : 0) |
    (SPEED.test(name) ? FIELD.speed : 0) |
    (PROVIDER.test(name) ? FIELD.provider : 0)
  if (known.size < KNOWN_MAX && name.length <= LENGTH_MAX) known.set(name, meaning)
  return meaning
}

function isVariant(name: string): boolean {
  // Go folds ſ to s.
  return !PRICED.has(name) && PRICED.has(name.toLowerCase().replaceAll('ſ', 's'))
}

/** Whether a body has a field with one of these meanings. */
export function hasField(body: Body, meanings: number): boolean {
  for (const name in body) if ((meaningOf(name) & meanings) !== 0) return true
  return false
}

/** Removes fields with these meanings; returns the same object if there are none. */
export function withoutFields(body: Body, meanings: number): Body {
  if (!hasField(body, meanings)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => (meaningOf(name) & meanings) === 0))
}
