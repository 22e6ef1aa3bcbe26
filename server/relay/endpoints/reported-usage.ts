import { transcriptionTokens } from '../../../core/pricing/audio-tokens.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import { plainUsage, plausibleUsage, readUsage } from '../charging/usage.ts'
import { countOf, type Json, numberOf } from '../json.ts'

/**
 * Returns the usage of embeddings and rankings, if any. Some vendors report only a total, or report in `meta`. Ignores
 * the number of billed searches, which are not tokens.
 */
export function promptUsage(reply: Json): Usage | undefined {
  const meta = recordOf(reply.meta)
  const reports = [reply.usage, meta.tokens, meta.billed_units].map(recordOf)
  for (const report of reports) {
    const prompt =
      countOf(report.prompt_tokens) ||
      countOf(report.input_tokens) ||
      Math.max(0, countOf(report.total_tokens) - countOf(report.completion_tokens))
    const completion = countOf(report.completion_tokens) || countOf(report.output_tokens)
    const usage = plausibleUsage(plainUsage(prompt, completion))
    if (usage) return usage
  }
  return undefined
}

/** Returns the usage of images and speech, if any, in the format of the Responses API, or of chat completions. */
export function readMediaUsage(reply: Json): Usage | undefined {
  const report = recordOf(reply.usage)
  const plain = plainUsage(countOf(report.input_tokens), countOf(report.output_tokens))
  const image = countOf(recordOf(report.input_tokens_details).image_tokens)
  return plausibleUsage(image > 0 ? { ...plain, imagePromptTokens: image } : plain) ?? readUsage(reply.usage)
}

/**
 * Returns the usage of a transcription, if any: the tokens, or else the seconds of audio. A `verbose_json` reply has
 * the seconds in `duration`.
 */
export function transcriptionUsage(reply: Json): Usage | undefined {
  const report = recordOf(reply.usage)
  const tokens = readMediaUsage(reply)
  if (tokens) {
    const details = recordOf(report.input_token_details ?? report.input_tokens_details)
    return { ...tokens, audioPromptTokens: Math.min(countOf(details.audio_tokens), tokens.promptTokens) }
  }
  const seconds = numberOf(report.seconds) ?? numberOf(reply.duration) ?? 0
  return seconds > 0 ? plausibleUsage(plainUsage(transcriptionTokens(seconds), 0)) : undefined
}
