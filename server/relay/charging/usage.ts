import type { Usage } from '../../../core/pricing/prices.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import type { ReplyEvent } from '../conversation/conversation.ts'
import { countOf } from '../json.ts'

/**
 * Reads the usage that an OpenAI-style upstream reports. Returns undefined if the usage is missing, zero or
 * implausible. Prompt tokens include cached tokens and audio tokens. Completion tokens include reasoning tokens and
 * audio tokens.
 */
export function readUsage(reported: unknown): Usage | undefined {
  if (!isRecord(reported)) return undefined
  const promptDetails = recordOf(reported.prompt_tokens_details)
  const completionDetails = recordOf(reported.completion_tokens_details)
  const imageTokens = countOf(promptDetails.image_tokens)
  const usage: Usage = {
    ...(imageTokens > 0 && { imagePromptTokens: imageTokens }),
    promptTokens: countOf(reported.prompt_tokens),
    completionTokens: countOf(reported.completion_tokens),
    cachedTokens:
      countOf(promptDetails.cached_tokens) ||
      countOf(reported.prompt_cache_hit_tokens) ||
      countOf(reported.cached_tokens),
    cacheWriteTokens: countOf(promptDetails.cache_write_tokens),
    cacheWriteHourTokens: 0,
    audioPromptTokens: countOf(promptDetails.audio_tokens),
    audioCompletionTokens: countOf(completionDetails.audio_tokens),
    reasoningTokens: countOf(completionDetails.reasoning_tokens),
  }
  return plausibleUsage(usage)
}

/** Returns the usage, or undefined if it is zero or implausible. */
export function plausibleUsage(usage: Usage): Usage | undefined {
  const isPlausible = Object.values(usage).every((tokens) => tokens <= COUNT_MAX)
  return isPlausible && usage.promptTokens + usage.completionTokens > 0 ? usage : undefined
}

/**
 * Returns the event for a reported usage. `tier` is the reported service tier, if any. The tier `auto` is ignored,
 * because it does not name the tier that was used.
 */
export function usageEvent(usage: Usage, tier: unknown): ReplyEvent {
  return typeof tier === 'string' && tier !== '' && tier !== 'auto'
    ? { kind: 'usage', usage, tier }
    : { kind: 'usage', usage }
}

/** Returns a usage that consists only of text tokens, without details. */
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

/**
 * Maximum plausible number of tokens per request. A report with a larger number is ignored as an error of the upstream.
 */
const COUNT_MAX = 1e8

export function addUsage(one: Usage, other: Usage): Usage {
  const image = (one.imagePromptTokens ?? 0) + (other.imagePromptTokens ?? 0)
  return {
    ...(image > 0 && { imagePromptTokens: image }),
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWriteHourTokens: one.cacheWriteHourTokens + other.cacheWriteHourTokens,
    audioPromptTokens: one.audioPromptTokens + other.audioPromptTokens,
    audioCompletionTokens: one.audioCompletionTokens + other.audioCompletionTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  }
}
