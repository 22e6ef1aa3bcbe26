import type { Condition } from './conditions.ts'

/** The inputs of a charge besides the tokens. */
export interface Price {
  /** Quota per prompt token; 0 if the model is priced per call. */
  readonly modelRatio: number
  /** Dollars per call; `BY_USAGE` if the model is priced by tokens. */
  readonly modelPrice: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly audioRatio: number
  readonly audioCompletionRatio: number
  readonly groupRatio: number
  readonly quotaPerUnit: number
  readonly source: PriceSource
  /** The price of an image token, in prompt tokens. Absent: 1. */
  readonly imageRatio?: number
  /** The price of a reasoning token, in prompt tokens. Absent: that of other completion tokens. */
  readonly reasoningRatio?: number
  /** Conditions of this price. Absent for most models. */
  readonly conditions?: readonly Condition[]
  /** Prices of service tiers, for the requests that name one (`withTiers`). Absent for most models. */
  readonly tiers?: readonly Condition[]
  /** Conditions that apply to a request, for its log row. */
  readonly applied?: string
}
export const PRICE_SOURCES = ['option', 'library', 'default'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

/** The `modelPrice` of a model priced by tokens. */
export const BY_USAGE = -1

/** Neutral values of ratios that a price per call or a log row does not use. */
export const NEUTRAL = {
  modelRatio: 0,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
} as const
