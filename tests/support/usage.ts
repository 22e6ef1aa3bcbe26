import { BY_USAGE, type Price, type Usage } from '../../core/pricing/prices.ts'

/** A usage of these tokens and no others. */
export function usageOf(fields: Partial<Usage>): Usage {
  return {
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
    reasoningTokens: 0,
    ...fields,
  }
}

/** A price by the token at ratio 1, but for these. */
export function pricedAt(fields: Partial<Price> = {}): Price {
  return {
    modelRatio: 1,
    modelPrice: BY_USAGE,
    completionRatio: 1,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
    groupRatio: 1,
    quotaPerUnit: 500_000,
    source: 'option',
    ...fields,
  }
}
