import type { Usage } from '../../../core/pricing/prices.ts'
import { countOf, isObject, objectOf } from '../json.ts'

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
    promptTokens: countOf(reported.prompt_tokens),
    completionTokens: countOf(reported.completion_tokens),
    cachedTokens:
      countOf(details.cached_tokens) || countOf(reported.prompt_cache_hit_tokens) || countOf(reported.cached_tokens),
    cacheWriteTokens: countOf(details.cache_write_tokens),
    cacheWriteHourTokens: 0,
    audioPromptTokens: countOf(details.audio_tokens),
    audioCompletionTokens: countOf(outputs.audio_tokens),
    reasoningTokens: countOf(outputs.reasoning_tokens),
  }
  return believed(usage)
}

/** A reported usage, unless it is nothing but zeros or cannot be. */
export function believed(usage: Usage): Usage | undefined {
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

/** No model reads or writes this many in one request: such a report is an upstream's mistake, and counts as none. */
const COUNT_MAX = 1e8
