import type { Usage } from '../../core/pricing/prices.ts'
import { isObject } from './json.ts'

/**
 * The usage an OpenAI-shaped upstream reports; undefined when there is none, or nothing but zeros, or
 * counts that cannot be, which count as none.
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
    cacheWriteHourTokens: 0,
    audioPromptTokens: count(details.audio_tokens),
    audioCompletionTokens: count(outputs.audio_tokens),
    reasoningTokens: count(outputs.reasoning_tokens),
  }
  const believable = Object.values(usage).every((tokens) => tokens <= COUNT_MAX)
  return believable && usage.promptTokens + usage.completionTokens > 0 ? usage : undefined
}

/** A usage of plain tokens, for what was counted here. */
export function plainUsage(promptTokens: number, completionTokens: number): Usage {
  return {
    promptTokens,
    completionTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
    reasoningTokens: 0,
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

/** No model reads or writes this many in one request: such a report is an upstream's mistake, and counts as none. */
const COUNT_MAX = 1e8

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.trunc(value) : 0
}
