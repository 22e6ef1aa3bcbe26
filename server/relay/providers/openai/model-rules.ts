import { recordOf } from '../../../../core/records.ts'
import { type Json, lookup, wordOf } from '../../json.ts'
import { withoutFields, withRenamedFields } from './fields.ts'

/** Matches names of OpenAI's models at any vendor. */
const OPENAI_MODEL = /^(ft:)?(gpt-|chatgpt-|o\d|codex-)/
const REASONING = /^(o[134]|gpt-5)/
/** Matches chat models that do not reason, although their names match REASONING. */
const CHAT_VARIANT = /^gpt-5[\d.]*-chat/
const MODELS_WITHOUT_SYSTEM = /^o1-(mini|preview)/
const SEARCH = /^gpt-4o.*search/
const EFFORT_SUFFIX = /^((?:o\d|gpt-5).*?)-(none|minimal|low|medium|high|xhigh)$/

/** Fields that reasoning models and search models reject. */
const SAMPLING_FIELDS = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
]

/** Whether a name is one of OpenAI's models, which reject other vendors' fields. */
export function isOpenAiModel(model: string): boolean {
  return OPENAI_MODEL.test(model)
}

/** Splits a name such as `o3-mini-high` into the upstream's model `o3-mini` and the effort `high`. */
export function openAiSuffix(model: string): { model: string; effort?: string } {
  const [, name, effort] = EFFORT_SUFFIX.exec(model) ?? []
  // The o-series has three efforts. Any other suffix belongs to the model's name.
  const isKnown = effort !== undefined && (model.startsWith('gpt-5') || /^(low|medium|high)$/.test(effort))
  return name && isKnown ? { model: name, effort } : { model }
}

/** Whether a model rejects sampling fields, as reasoning models do. */
export function refusesSampling(model: string): boolean {
  return REASONING.test(model) && !CHAT_VARIANT.test(model)
}

/** Adapts a chat body to the rules of OpenAI's models. */
export function openAiModelRules(body: Json): Json {
  const { model, effort } = openAiSuffix(wordOf(body.model))
  const withEffort = withFewStops(effort ? { ...body, model, reasoning_effort: effort } : body, model)
  if (SEARCH.test(model)) return withoutFields(withEffort, SAMPLING_FIELDS)
  if (!refusesSampling(model)) return withoutThinking(withEffort, model)
  const bodyWithoutSampling = withoutFields(
    withRenamedFields(withEffort, { max_tokens: 'max_completion_tokens' }),
    SAMPLING_FIELDS,
  )
  return withKnownEffort(withRoles(bodyWithoutSampling, model), model)
}

const STOP_SEQUENCES_MAX = 4

function withFewStops(body: Json, model: string): Json {
  const { stop } = body
  if (!Array.isArray(stop) || stop.length <= STOP_SEQUENCES_MAX || !isOpenAiModel(model)) return body
  return { ...body, stop: stop.slice(0, STOP_SEQUENCES_MAX) }
}

/** Removes reasoning fields, which models without reasoning reject. Adds a missing audio format to a stream. */
function withoutThinking(body: Json, model: string): Json {
  if (!/^(gpt-[34]|chatgpt-)/.test(model)) return body
  const audio = recordOf(body.audio)
  // Streamed audio has only one possible format.
  const lacksAudioFormat = body.stream === true && model.includes('-audio') && body.audio && audio.format === undefined
  return withoutFields(lacksAudioFormat ? { ...body, audio: { ...audio, format: 'pcm16' } } : body, [
    'reasoning_effort',
    'verbosity',
  ])
}

/** Replaces the role `system`, which the first o-series models reject. Later models prefer `developer`. */
function withRoles(body: Json, model: string): Json {
  const messages = Array.isArray(body.messages) ? body.messages : []
  if (MODELS_WITHOUT_SYSTEM.test(model)) {
    const isInstruction = ({ role }: Json) => role === 'system' || role === 'developer'
    if (!messages.some((message) => isInstruction(recordOf(message)))) return body
    return {
      ...body,
      messages: messages.map((message) => (isInstruction(recordOf(message)) ? { ...message, role: 'user' } : message)),
    }
  }
  const [first, ...rest] = messages
  if (recordOf(first).role !== 'system') return body
  return { ...body, messages: [{ ...first, role: 'developer' }, ...rest] }
}

/** Replaces the effort by the nearest effort that the model supports. */
function withKnownEffort(body: Json, model: string): Json {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return body
  if (MODELS_WITHOUT_SYSTEM.test(model)) return withoutFields(body, ['reasoning_effort'])
  const supportedEffort = nearestEffort(effort, model)
  return supportedEffort === effort ? body : { ...body, reasoning_effort: supportedEffort }
}

function nearestEffort(effort: string, model: string): string {
  if (model.startsWith('o')) return NEAREST_OF_THREE[effort] ?? effort
  return effort === 'max' ? 'xhigh' : effort
}
const NEAREST_OF_THREE: Readonly<Record<string, string>> = lookup({
  none: 'low',
  minimal: 'low',
  xhigh: 'high',
  max: 'high',
})

const GROK_SUFFIX = /^(grok-3-mini.*)-(low|medium|high)$/
const GROK_REASONING = /^grok-(3-mini|4|code)|(?<!non-)reasoning/

/** Adapts a chat body to xAI's models. */
export function xaiModelRules(body: Json): Json {
  const [, model, effort] = GROK_SUFFIX.exec(wordOf(body.model)) ?? []
  const withEffort = model
    ? withRenamedFields({ ...body, model, reasoning_effort: effort }, { max_tokens: 'max_completion_tokens' })
    : body
  if (!GROK_REASONING.test(wordOf(withEffort.model))) return withEffort
  return withoutFields(withEffort, ['presence_penalty', 'frequency_penalty', 'stop'])
}
