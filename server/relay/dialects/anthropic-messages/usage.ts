import type { Usage } from '../../../../core/pricing/prices.ts'

/**
 * Returns the usage for the end of a stream. In Anthropic's format, input tokens do not include cache reads and writes.
 */
export function deltaUsage({ promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage) {
  return {
    input_tokens: Math.max(promptTokens - cachedTokens - cacheWriteTokens, 0),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    server_tool_use: null,
  }
}

/** Returns the usage of a message, with all fields that clients require. A field is null if its value is unknown. */
export function messageUsage(usage: Usage) {
  return { ...deltaUsage(usage), cache_creation: null, inference_geo: null, service_tier: null, speed: null }
}
