import type { Condition } from './conditions.ts'
import type { Price } from './price.ts'

/** The factor by which each service tier multiplies the price. */
type Tiers = Readonly<Record<string, number>>

const HALF: Tiers = { flex: 0.5 }

/**
 * The vendors' price factors of service tiers, which the price library does not list. The first match counts.
 * https://openai.com/api-priority-processing, https://platform.openai.com/docs/pricing,
 * https://platform.claude.com/docs/en/build-with-claude/fast-mode
 */
const TIERS: readonly (readonly [model: RegExp, tiers: Tiers])[] = [
  [/^gpt-5(\.\d+)?-pro\b/, HALF],
  [/^gpt-5-mini\b/, { flex: 0.5, priority: 1.8 }],
  [/^gpt-5-nano\b/, HALF],
  [/^gpt-5(\.[124])?(-codex)?(-\d{4}-\d\d-\d\d)?$|^gpt-5\.4-mini\b/, { flex: 0.5, priority: 2 }],
  [/^gpt-4\.1-nano\b/, { priority: 2 }],
  [/^gpt-4\.1(-mini)?(-\d{4}-\d\d-\d\d)?$/, { priority: 1.75 }],
  [/^gpt-4o-mini(-\d{4}-\d\d-\d\d)?$/, { priority: 5 / 3 }],
  [/^gpt-4o(-2024-(08-06|11-20))?$/, { priority: 1.7 }],
  [/^gpt-4o-2024-05-13$/, { priority: 1.75 }],
  [/^o3(-\d{4}-\d\d-\d\d)?$/, { flex: 0.5, priority: 1.75 }],
  [/^o4-mini(-\d{4}-\d\d-\d\d)?$/, { flex: 0.5, priority: 20 / 11 }],
  [/^claude-opus-4-6/, { fast: 6 }],
]

/** Returns the service tiers of a model as price conditions, or undefined if it has none. */
export function tiersOf(model: string): readonly Condition[] | undefined {
  const entry = TIERS.find(([pattern]) => pattern.test(model))
  return entry && Object.entries(entry[1]).map(([name, ratio]) => ({ kind: 'tier', name, ratio }))
}

/** Cached results of `withTiers`. The cache works because `Price` objects are reused until prices change. */
const withTiersCache = new WeakMap<Price, Price>()

/** Returns the price with its tiers moved into `conditions`. Call it only for requests that name a tier. */
export function withTiers(price: Price): Price {
  const cached = withTiersCache.get(price)
  if (cached) return cached
  const { tiers, ...withoutTiers } = price
  if (!tiers) return price
  const extended = { ...withoutTiers, conditions: [...(price.conditions ?? []), ...tiers] }
  withTiersCache.set(price, extended)
  return extended
}
