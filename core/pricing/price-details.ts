import { type Static, Type } from 'typebox'
import { type Actor, ROLE } from '../actor.ts'
import type { ChannelDirectory } from '../channels/routing/directory.ts'
import { GatewayError } from '../errors.ts'
import { conditionText } from './conditions.ts'
import { BY_USAGE, type Price } from './price.ts'
import { pricesByModel } from './price-list.ts'
import type { Pricing } from './pricing.ts'

/** All prices of one model before the group ratio, and their source. */
export const PriceDetail = Type.Object(
  {
    model_name: Type.String(),
    source: Type.String({ description: 'option, library or default; none: requests for it are rejected' }),
    quota_type: Type.Integer({ description: '1 per call, 0 by usage' }),
    model_price: Type.Number({ description: 'dollars per call; 0 by usage' }),
    model_ratio: Type.Number({ description: 'quota per prompt token; 0 if priced per call' }),
    completion_ratio: Type.Number({
      description: 'price of a completion token in prompt tokens; 0 if priced per call',
    }),
    cache_ratio: Type.Number({ description: 'price of a cached prompt token in prompt tokens; 0 if priced per call' }),
    cache_write_ratio: Type.Number({
      description: 'price of a token written to the cache in prompt tokens; 0 if priced per call',
    }),
    conditions: Type.Array(
      Type.Object({
        condition: Type.String({
          description: 'prompt>200000, tier=flex, effort=high, utc=1630-0030, image, reasoning …',
        }),
        ratio: Type.Number({
          description: 'price multiplier; for images and reasoning the price of a token in prompt tokens',
        }),
      }),
      { description: 'price conditions' },
    ),
    enable_groups: Type.Array(Type.String(), { description: 'groups in which the model is available' }),
  },
  { title: 'PriceDetail' },
)
export type PriceDetail = Static<typeof PriceDetail>

export type PriceDetails = ReturnType<typeof createPriceDetails>

export function createPriceDetails(parts: { directory: Pick<ChannelDirectory, 'groupsByModel'>; pricing: Pricing }) {
  const { directory, pricing } = parts
  return {
    /** Returns the prices of all served models, sorted by name. Only administrators get models without a price. */
    async list({ role }: Actor): Promise<PriceDetail[]> {
      const rows: PriceDetail[] = []
      for await (const { model, groups, price } of pricesByModel(directory.groupsByModel(), pricing)) {
        const row = toDetail(model, groups, price)
        if (row.source !== 'none' || role >= ROLE.admin) rows.push(row)
      }
      return rows
    },
    /** Returns the prices of one model, even if no channel serves it. Throws MODEL_UNPRICED. */
    async get(_actor: Actor, model: string): Promise<PriceDetail> {
      const groups = directory.groupsByModel().get(model) ?? []
      const row = toDetail(model, groups, await pricing.find({ model, group: groups[0] ?? '' }))
      if (row.source === 'none') throw new GatewayError('MODEL_UNPRICED', { model })
      return row
    },
  }
}

function toDetail(model: string, groups: readonly string[], price: Price | undefined): PriceDetail {
  const perCall = price !== undefined && price.modelPrice !== BY_USAGE
  const byUsage = perCall ? undefined : price
  return {
    model_name: model,
    source: price?.source ?? 'none',
    quota_type: perCall ? 1 : 0,
    model_price: perCall ? price.modelPrice : 0,
    model_ratio: byUsage?.modelRatio ?? 0,
    completion_ratio: byUsage?.completionRatio ?? 0,
    cache_ratio: byUsage?.cacheRatio ?? 0,
    cache_write_ratio: byUsage?.cacheWriteRatio ?? 0,
    conditions: [...(byUsage?.conditions ?? []), ...(byUsage?.tiers ?? [])].map((one) => ({
      condition: conditionText(one),
      ratio: one.ratio,
    })),
    enable_groups: [...groups],
  }
}
