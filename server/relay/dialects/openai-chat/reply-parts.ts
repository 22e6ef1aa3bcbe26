import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Citation, StopReason } from '../../conversation/conversation.ts'
import { LEGACY_FINISH_REASON } from './legacy-functions.ts'

export const CHAT_FINISH_REASONS: Record<StopReason, string> = {
  stop: 'stop',
  length: 'length',
  tools: 'tool_calls',
  filter: 'content_filter',
}

/** Returns the `finish_reason` of a choice. Some upstreams report `stop` even after calls. */
export function chatFinishReason(
  stop: StopReason = 'stop',
  { hasCalls, isLegacy }: { hasCalls: boolean; isLegacy: boolean },
): string {
  const reason = hasCalls && stop === 'stop' ? 'tools' : stop
  return reason === 'tools' && isLegacy ? LEGACY_FINISH_REASON : CHAT_FINISH_REASONS[reason]
}

/** Returns usage in the format of chat completions, where the totals include cached tokens and reasoning tokens. */
export function toChatUsage(usage: Usage): Record<string, unknown> {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, audioPromptTokens } = usage
  const { audioCompletionTokens, reasoningTokens } = usage
  const prompt = {
    ...(cachedTokens > 0 && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens > 0 && { cache_write_tokens: cacheWriteTokens }),
    ...(audioPromptTokens > 0 && { audio_tokens: audioPromptTokens }),
  }
  const completion = {
    ...(reasoningTokens > 0 && { reasoning_tokens: reasoningTokens }),
    ...(audioCompletionTokens > 0 && { audio_tokens: audioCompletionTokens }),
  }
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
    ...(Object.keys(completion).length > 0 && { completion_tokens_details: completion }),
  }
}

export function chatImagePart({ data, mime }: { data: string; mime: string }): Record<string, unknown> {
  return { type: 'image_url', image_url: { url: `data:${mime};base64,${data}` } }
}

export function toAnnotation({ url, title, start, end }: Citation): Record<string, unknown> {
  const citation = {
    url,
    title: title ?? url,
    ...(start !== undefined && { start_index: start }),
    ...(end !== undefined && { end_index: end }),
  }
  return { type: 'url_citation', url_citation: citation }
}
