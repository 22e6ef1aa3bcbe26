import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, Effort, Reasoning, ReplyFormat } from '../../conversation/conversation.ts'
import { arrayOf, booleanOf, type Json, numberOf, textOf } from '../../json.ts'
import { field } from './fields.ts'
import { jsonSchema } from './json-schema.ts'

type Config = Omit<Conversation, 'turns' | 'tools'>

/**
 * Parses a `generationConfig`. Ignores fields that a Conversation does not have.
 * https://ai.google.dev/api/generate-content#generationconfig
 */
export function configOf(value: unknown): Config {
  const config = recordOf(value)
  const number = (name: string) => numberOf(field(config, name))
  const stop = field(config, 'stopSequences')
  return defined({
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    seed: number('seed'),
    presencePenalty: number('presencePenalty'),
    frequencyPenalty: number('frequencyPenalty'),
    choices: number('candidateCount'),
    maxTokens: number('maxOutputTokens'),
    stop: Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : undefined,
    logprobs: booleanOf(field(config, 'responseLogprobs')),
    topLogprobs: number('logprobs'),
    format: formatOf(config),
    reasoning: reasoningOf(field(config, 'thinkingConfig')),
    modalities: modalitiesOf(field(config, 'responseModalities')),
    extras: extrasOf(config),
  }) as Config
}

function formatOf(config: Json): ReplyFormat | undefined {
  if (field(config, 'responseMimeType') !== 'application/json') return undefined
  const standardSchema = field(config, 'responseJsonSchema') ?? config._responseJsonSchema
  if (isRecord(standardSchema)) return { kind: 'schema', name: 'response', schema: standardSchema }
  const responseSchema = field(config, 'responseSchema')
  return isRecord(responseSchema)
    ? { kind: 'schema', name: 'response', schema: jsonSchema(responseSchema) }
    : { kind: 'json' }
}

function reasoningOf(value: unknown): Reasoning | undefined {
  if (!isRecord(value)) return undefined
  const level = textOf(field(value, 'thinkingLevel'))?.toLowerCase()
  return defined({
    effort: level && level !== 'thinking_level_unspecified' ? (level as Effort) : undefined,
    budget: numberOf(field(value, 'thinkingBudget')),
    visible: booleanOf(field(value, 'includeThoughts')),
  }) as Reasoning
}

/** Whether the client wants to receive reasoning. */
export function wantsThoughts(body: Readonly<Json>): boolean {
  const thinking = recordOf(field(recordOf(field(body, 'generationConfig')), 'thinkingConfig'))
  return field(thinking, 'includeThoughts') === true
}

function modalitiesOf(value: unknown): string[] | undefined {
  const names = arrayOf(value).flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []))
  return names.length ? names : undefined
}

/** Converts image options to `image_config`. OpenAI-compatible vendors adopted this field from Google. */
function extrasOf(config: Json): Json {
  const image = field(config, 'imageConfig')
  if (!isRecord(image)) return {}
  return { image_config: defined({ aspect_ratio: field(image, 'aspectRatio'), image_size: field(image, 'imageSize') }) }
}
