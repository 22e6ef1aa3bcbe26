import type { Usage } from '../../../../core/pricing/prices.ts'

/** Usage as Anthropic's clients read it: what the cache gave or took is not among the input tokens. */
export function usageToMessages({ promptTokens, completionTokens, cachedTokens, cacheWriteTokens }: Usage) {
  return {
    input_tokens: Math.max(promptTokens - cachedTokens - cacheWriteTokens, 0),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
  }
}
