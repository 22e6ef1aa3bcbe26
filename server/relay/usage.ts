import type { Usage } from '../../core/pricing/prices.ts'
import { isObject } from './counting/prompt.ts'

/**
 * The usage an OpenAI-shaped upstream reports; undefined when there is none, or nothing but zeros, which counts as none.
 * Prompt tokens include cached and audio ones, completion tokens reasoning and audio ones.
 */
export function readUsage(reported: unknown): Usage | undefined {
  if (!isObject(reported)) return undefined
  const details = objectOf(reported.prompt_tokens_details)
  const outputs = objectOf(reported.completion_tokens_details)
  const usage: Usage = {
    promptTokens: count(reported.prompt_tokens),
    completionTokens: count(reported.completion_tokens),
    cachedTokens:
      count(details.cached_tokens) || count(reported.prompt_cache_hit_tokens) || count(reported.cached_tokens),
    cacheWriteTokens: count(details.cache_write_tokens),
    audioPromptTokens: count(details.audio_tokens),
    audioCompletionTokens: count(outputs.audio_tokens),
  }
  return usage.promptTokens + usage.completionTokens > 0 ? usage : undefined
}

/** A usage of plain tokens, for what was counted here. */
export function plainUsage(promptTokens: number, completionTokens: number): Usage {
  return {
    promptTokens,
    completionTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
  }
}

/** The way back: what a client reads when the upstream told nothing. */
export function usageToWire({ promptTokens, completionTokens }: Usage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** As many as a log row can hold: what is charged and what the row says must be the same count. */
const COUNT_MAX = 2 ** 31 - 1

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), COUNT_MAX) : 0
}
