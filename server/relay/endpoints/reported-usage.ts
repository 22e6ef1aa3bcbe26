import { transcribedTokens } from '../../../core/pricing/audio-tokens.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import { plainUsage, readUsage } from '../charging/usage.ts'
import { countOf, type Json, numberOf, objectOf } from '../json.ts'

/** What no single request uses: such a report is a mistake, and counts as none. */
const COUNT_MAX = 1e8

/**
 * Usage of embeddings and rankings. Some report only a total, some put it under `meta`; searches that were billed are not
 * tokens.
 */
export function promptUsage(reply: Json): Usage | undefined {
  const meta = objectOf(reply.meta)
  const reports = [reply.usage, meta.tokens, meta.billed_units].map(objectOf)
  for (const report of reports) {
    const prompt =
      countOf(report.prompt_tokens) ||
      countOf(report.input_tokens) ||
      Math.max(0, countOf(report.total_tokens) - countOf(report.completion_tokens))
    const completion = countOf(report.completion_tokens) || countOf(report.output_tokens)
    const usage = believable(plainUsage(prompt, completion))
    if (usage) return usage
  }
  return undefined
}

/** Usage in the words of images, speech and the Responses API: `input_tokens` and `output_tokens`, or chat's own. */
export function tokenUsage(reply: Json): Usage | undefined {
  const report = objectOf(reply.usage)
  const plain = plainUsage(countOf(report.input_tokens), countOf(report.output_tokens))
  return believable(plain) ?? readUsage(reply.usage)
}

/**
 * Usage of a transcription: tokens, of which some are audio, or the seconds that were heard. `verbose_json` has the
 * seconds beside the text.
 */
export function transcriptionUsage(reply: Json): Usage | undefined {
  const report = objectOf(reply.usage)
  const tokens = tokenUsage(reply)
  if (tokens) {
    const details = objectOf(report.input_token_details ?? report.input_tokens_details)
    return { ...tokens, audioPromptTokens: Math.min(countOf(details.audio_tokens), tokens.promptTokens) }
  }
  const seconds = numberOf(report.seconds) ?? numberOf(reply.duration) ?? 0
  return seconds > 0 ? believable(plainUsage(transcribedTokens(seconds), 0)) : undefined
}

function believable(usage: Usage): Usage | undefined {
  const { promptTokens, completionTokens } = usage
  const sum = promptTokens + completionTokens
  return sum > 0 && Math.max(promptTokens, completionTokens) <= COUNT_MAX ? usage : undefined
}
