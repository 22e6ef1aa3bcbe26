import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, ReplyFormat } from '../../conversation/conversation.ts'
import { type Json, textOf } from '../../json.ts'
import { thinkingConfig } from './models.ts'
import { cleanSchema } from './schema.ts'

const STOPS_MAX = 5

/** Returns `generationConfig`, or {} if nothing is set: https://ai.google.dev/api/generate-content#generationconfig */
export function generationConfig(
  conversation: Conversation,
  { model, jsonSchema }: { model: string; jsonSchema: boolean },
): Json {
  const stop = conversation.stop?.filter((text) => text !== '').slice(0, STOPS_MAX)
  const thinking = { ...thinkingConfig(conversation.reasoning, model), ...googleThinking(conversation) }
  return defined({
    temperature: conversation.temperature,
    topP: conversation.topP,
    topK: conversation.topK,
    seed: conversation.seed,
    candidateCount: conversation.choices,
    maxOutputTokens: conversation.maxTokens,
    stopSequences: stop?.length ? stop : undefined,
    presencePenalty: conversation.presencePenalty,
    frequencyPenalty: conversation.frequencyPenalty,
    responseLogprobs: conversation.logprobs,
    logprobs: conversation.logprobs ? conversation.topLogprobs : undefined,
    ...formatFields(conversation.format, jsonSchema),
    responseModalities: modalities(conversation, model),
    imageConfig: imageConfig(conversation),
    speechConfig: speechConfig(conversation),
    thinkingConfig: Object.keys(thinking).length ? thinking : undefined,
  })
}

/** Returns the client's field `extra_body.google`, which Google's OpenAI-compatible endpoint has. */
export function googleExtras({ extras }: Conversation): Json {
  // Some clients merge `extra_body` into the body. Then `google` is at the top level.
  return { ...recordOf(extras.google), ...recordOf(recordOf(extras.extra_body).google) }
}

function googleThinking(conversation: Conversation): Json {
  const config = recordOf(googleExtras(conversation).thinking_config)
  return defined({
    thinkingBudget: config.thinking_budget ?? config.thinkingBudget,
    thinkingLevel: config.thinking_level ?? config.thinkingLevel,
    includeThoughts: config.include_thoughts ?? config.includeThoughts,
  })
}

function formatFields(format: ReplyFormat | undefined, jsonSchema: boolean): Json {
  if (!format) return {}
  const json = { responseMimeType: 'application/json' }
  if (format.kind === 'json') return json
  return jsonSchema
    ? { ...json, responseJsonSchema: format.schema }
    : { ...json, responseSchema: cleanSchema(format.schema) }
}

/** Returns the output modalities, because image models return images only if the request allows images. */
function modalities({ modalities: clientModalities }: Conversation, model: string): string[] | undefined {
  if (clientModalities) return clientModalities.map((kind) => kind.toUpperCase())
  if (/-tts/.test(model)) return ['AUDIO']
  return /image/.test(model) ? ['TEXT', 'IMAGE'] : undefined
}

function imageConfig({ extras }: Conversation): Json | undefined {
  if (!isRecord(extras.image_config)) return undefined
  const { aspect_ratio, aspectRatio, image_size, imageSize } = extras.image_config
  return defined({ aspectRatio: aspectRatio ?? aspect_ratio, imageSize: imageSize ?? image_size })
}

function speechConfig({ audio }: Conversation): Json | undefined {
  const voiceName = textOf(audio?.voice)
  return voiceName ? { voiceConfig: { prebuiltVoiceConfig: { voiceName } } } : undefined
}
