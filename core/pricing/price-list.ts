import { setImmediate } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import type { ChannelDirectory } from '../channels/routing/directory.ts'
import type { Options } from '../options/options.ts'
import { BY_USAGE, type Price } from './price.ts'
import type { Pricing } from './pricing.ts'

/** The price of one model, before the group ratio. */
export const ListedPrice = Type.Object({
  model_name: Type.String(),
  quota_type: Type.Integer({ description: '1 per call, 0 by usage' }),
  model_price: Type.Number({ description: 'dollars per call; 0 by usage' }),
  model_ratio: Type.Number({ description: '1 = 2 dollars per million prompt tokens; 0 if priced per call' }),
  completion_ratio: Type.Number({ description: 'price of a completion token in prompt tokens; 0 if priced per call' }),
  owner_by: Type.String({ description: 'always empty' }),
  context_window: Type.Integer({ description: 'maximum tokens of prompt and reply together; 0 if unknown' }),
  enable_groups: Type.Array(Type.String(), { description: 'groups in which the model is available' }),
})
export type ListedPrice = Static<typeof ListedPrice>

/** Maximum age of the cached list. Some prices of the bundled library (`library.ts`) depend on the time of day. */
const FRESH_MS = 60_000
const MODELS_PER_TURN = 50

/** Yields the models of `groupsByModel` with their prices, sorted by name. */
export async function* pricesByModel(
  groupsByModel: ReadonlyMap<string, readonly string[]>,
  pricing: Pick<Pricing, 'find'>,
): AsyncGenerator<{ model: string; groups: readonly string[]; price: Price | undefined }> {
  for (const [index, [model, groups]] of [...groupsByModel].sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    // Let relays run in between, because thousands of models take a while.
    if (index % MODELS_PER_TURN === MODELS_PER_TURN - 1) await setImmediate()
    yield { model, groups, price: await pricing.find({ model, group: groups[0] ?? '' }) }
  }
}

/**
 * Creates a function that returns the prices of all models that an enabled channel serves, sorted by name. Models
 * without a price are missing, because relays reject them. The list is cached for a minute, or until a channel or an
 * option changes.
 */
export function createPriceList(parts: {
  directory: ChannelDirectory
  pricing: Pricing
  options: Options
}): () => Promise<readonly ListedPrice[]> {
  const { directory, pricing, options } = parts
  let list: { offers: unknown; version: number; until: number; rows: Promise<ListedPrice[]> } | undefined

  async function compute(offers: ReadonlyMap<string, readonly string[]>): Promise<ListedPrice[]> {
    const rows: ListedPrice[] = []
    for await (const { model, groups, price } of pricesByModel(offers, pricing)) {
      if (!price) continue
      const perCall = price.modelPrice !== BY_USAGE
      rows.push({
        model_name: model,
        quota_type: perCall ? 1 : 0,
        model_price: perCall ? price.modelPrice : 0,
        model_ratio: perCall ? 0 : price.modelRatio,
        completion_ratio: perCall ? 0 : price.completionRatio,
        owner_by: '',
        context_window: pricing.limits(model).contextWindow ?? 0,
        enable_groups: [...groups],
      })
    }
    return rows
  }

  return () => {
    const [offers, version, now] = [directory.groupsByModel(), options.version, Date.now()]
    if (list?.offers === offers && list.version === version && now < list.until) return list.rows
    const rows = compute(offers)
    list = { offers, version, until: now + FRESH_MS, rows }
    const started = list
    // Do not cache a failure.
    rows.catch(() => {
      if (list === started) list = undefined
    })
    return rows
  }
}
