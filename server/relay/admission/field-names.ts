import type { Body } from '../dialects/dialect.ts'

/** What a name at the top level of a body may mean. */
export const FIELD = {
  /** One that prices a request, in another case. */
  variant: 1,
  /** Other models that may answer. */
  otherModels: 2,
  /** Betas of Anthropic's API. */
  betas: 4,
  /** A dearer tier of service or region. */
  tier: 8,
  /** The same for conversations alone: elsewhere it is how fast a voice speaks. */
  speed: 16,
  /** How OpenRouter chooses among the providers of a model, whose prices differ: https://openrouter.ai/docs/features/provider-routing */
  provider: 32,
} as const

/** What a request costs stands in these fields. */
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
 * Where OpenRouter is told which other models may answer, as upstreams may spell it, or which settings of the operator's account name them:
 * https://openrouter.ai/docs/features/model-routing, https://openrouter.ai/docs/features/presets
 */
const OTHER_MODELS = /^(models|fallbacks|route|preset)$/iu
/** Bedrock and Vertex AI read the betas in the body. Some upstreams read names in any case. */
const BETAS = /^anthropic_betas?$/i
// With `u`, an s is also a `ſ`, as Go reads it.
const TIER = /^(service[_-]?tier|inference[_-]?geo)$/iu
/** Claude's fast mode. */
const SPEED = /^speed$/iu

const PROVIDER = /^provider$/iu

/** Names repeat from request to request; clients may send others, which are looked at again. */
const known = new Map<string, number>()
const KNOWN_MAX = 1000
const LENGTH_MAX = 64

/** The meanings of one name, as bits of FIELD. */
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
  // Go takes ſ for an s.
  return !PRICED.has(name) && PRICED.has(name.toLowerCase().replaceAll('ſ', 's'))
}

/** Whether a field of a body has one of these meanings. */
export function hasField(body: Body, meanings: number): boolean {
  for (const name in body) if ((meaningOf(name) & meanings) !== 0) return true
  return false
}

/** The body without fields of these meanings; the very same object if it has none. */
export function withoutFields(body: Body, meanings: number): Body {
  if (!hasField(body, meanings)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => (meaningOf(name) & meanings) === 0))
}
