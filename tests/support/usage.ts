import { BY_USAGE, type Price, type Usage } from '../../core/pricing/prices.ts'

/** Returns a usage with only these tokens. */
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

/** Returns a price per token at ratio 1, except for these fields. */
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
