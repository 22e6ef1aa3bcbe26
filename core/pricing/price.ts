/** All that a charge is computed from besides the tokens. */
export interface Price {
  /** Quota per prompt token; 0 when the model is sold by the call. */
  readonly modelRatio: number
  /** Dollars per call; `BY_USAGE` when the model is sold by the token. */
  readonly modelPrice: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly audioRatio: number
  readonly audioCompletionRatio: number
  readonly groupRatio: number
  readonly quotaPerUnit: number
  readonly source: PriceSource
}
export const PRICE_SOURCES = ['option', 'library', 'default'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

/** The `modelPrice` of a model that is sold by the token. */
export const BY_USAGE = -1

/** What a price leaves unsaid when it has no use for it: a price per call, or a log row. */
export const NEUTRAL = {
  modelRatio: 0,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
} as const
