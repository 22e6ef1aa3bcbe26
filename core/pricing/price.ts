import type { Condition } from './conditions.ts'

/** Everything that determines a charge, except for the tokens. */
export interface Price {
  /** Quota per prompt token. 0 if the model is priced per call. */
  readonly modelRatio: number
  /** Dollars per call. `BY_USAGE` if the model is priced per token. */
  readonly modelPrice: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly audioRatio: number
  readonly audioCompletionRatio: number
  readonly groupRatio: number
  readonly quotaPerUnit: number
  readonly source: PriceSource
  /** The price of an image token, in prompt tokens. 1 if absent. */
  readonly imageRatio?: number
  /** The price of a reasoning token, in prompt tokens. If absent, it costs as much as other completion tokens. */
  readonly reasoningRatio?: number
  /** Conditions that may apply to a request, see `applyConditions`. Absent for most models. */
  readonly conditions?: readonly Condition[]
  /** The prices of service tiers, for requests that name a tier (`withTiers`). Absent for most models. */
  readonly tiers?: readonly Condition[]
  /** The conditions that applied to a request, as text for its log row. */
  readonly applied?: string
}
export const PRICE_SOURCES = ['option', 'library', 'default'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

/** The `modelPrice` of a model that is priced per token. */
export const BY_USAGE = -1

/** Neutral values, for ratios that are missing in a price per call or in a log row. */
export const NEUTRAL = {
  modelRatio: 0,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
} as const
