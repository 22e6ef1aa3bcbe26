import type { Usage } from '../../../../core/pricing/prices.ts'

/** Converts usage to Anthropic's, whose input tokens exclude cache reads and writes. */
export function usageToMessages({ promptTokens, completionTokens, cachedTokens, cacheWriteTokens }: Usage) {
  return {
    input_tokens: Math.max(promptTokens - cachedTokens - cacheWriteTokens, 0),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
  }
}
