import type { Usage } from '../../../../core/pricing/prices.ts'
import { recordOf } from '../../../../core/records.ts'
import { readUsage } from '../../charging/usage.ts'
import { countOf, type Json, objectsOf } from '../../json.ts'

/**
 * Converts `usageMetadata`. `promptTokenCount` includes cached tokens, but no tool results. `candidatesTokenCount` does
 * not include reasoning. Returns undefined if the usage is missing or zero.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function contentUsage(reported: unknown): Usage | undefined {
  const metadata = recordOf(reported)
  const thoughts = countOf(metadata.thoughtsTokenCount)
  return readUsage({
    prompt_tokens: countOf(metadata.promptTokenCount) + countOf(metadata.toolUsePromptTokenCount),
    completion_tokens: countOf(metadata.candidatesTokenCount) + thoughts,
    prompt_tokens_details: {
      cached_tokens: metadata.cachedContentTokenCount,
      audio_tokens: audioIn(metadata, 'promptTokensDetails'),
    },
    completion_tokens_details: {
      reasoning_tokens: thoughts,
      audio_tokens: audioIn(metadata, 'candidatesTokensDetails'),
    },
  })
}

function audioIn(metadata: Json, name: string): number {
  return countOf(objectsOf(metadata[name]).find(({ modality }) => modality === 'AUDIO')?.tokenCount)
}
