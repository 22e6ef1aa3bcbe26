import type { Conversation, Effort, Reasoning, ReplyFormat } from '../../conversation/conversation.ts'
import { arrayOf, defined, isObject, type Json, numberOf, objectOf, textOf } from '../../json.ts'
import { field } from './fields.ts'
import { jsonSchema } from './json-schema.ts'

type Config = Omit<Conversation, 'turns' | 'tools'>

/** A `generationConfig`: https://ai.google.dev/api/generate-content#generationconfig. What else is in it is dropped. */
export function configOf(given: unknown): Config {
  const config = objectOf(given)
  const number = (name: string) => numberOf(field(config, name))
  const logprobs = field(config, 'responseLogprobs')
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
    logprobs: typeof logprobs === 'boolean' ? logprobs : undefined,
    topLogprobs: number('logprobs'),
    format: formatOf(config),
    reasoning: reasoningOf(field(config, 'thinkingConfig')),
    modalities: modalitiesOf(field(config, 'responseModalities')),
    extras: extrasOf(config),
  }) as Config
}

function formatOf(config: Json): ReplyFormat | undefined {
  if (field(config, 'responseMimeType') !== 'application/json') return undefined
  const standard = field(config, 'responseJsonSchema') ?? config._responseJsonSchema
  if (isObject(standard)) return { kind: 'schema', name: 'response', schema: standard }
  const own = field(config, 'responseSchema')
  return isObject(own) ? { kind: 'schema', name: 'response', schema: jsonSchema(own) } : { kind: 'json' }
}

function reasoningOf(given: unknown): Reasoning | undefined {
  if (!isObject(given)) return undefined
  const level = textOf(field(given, 'thinkingLevel'))?.toLowerCase()
  const visible = field(given, 'includeThoughts')
  return defined({
    effort: level && level !== 'thinking_level_unspecified' ? (level as Effort) : undefined,
    budget: numberOf(field(given, 'thinkingBudget')),
    visible: typeof visible === 'boolean' ? visible : undefined,
  }) as Reasoning
}

/** Whether the client wants to read what the model thought. */
export function wantsThoughts(body: Readonly<Json>): boolean {
  const thinking = objectOf(field(objectOf(field(body, 'generationConfig')), 'thinkingConfig'))
  return field(thinking, 'includeThoughts') === true
}

function modalitiesOf(given: unknown): string[] | undefined {
  const names = arrayOf(given).flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []))
  return names.length ? names : undefined
}

/** How pictures are to be: a field that vendors of OpenAI's shape have taken over from Google. */
function extrasOf(config: Json): Json {
  const image = field(config, 'imageConfig')
  if (!isObject(image)) return {}
  return { image_config: defined({ aspect_ratio: field(image, 'aspectRatio'), image_size: field(image, 'imageSize') }) }
}
