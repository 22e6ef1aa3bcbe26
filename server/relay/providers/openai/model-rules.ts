import { type Json, lookup, objectOf, wordOf } from '../../json.ts'
import { renamed, without } from './fields.ts'

/** Names of OpenAI's own models, wherever they are served. */
const OPENAI_MODEL = /^(ft:)?(gpt-|chatgpt-|o\d|codex-)/
const REASONING = /^(o[134]|gpt-5)/
/** Bears the name, and neither reasons nor refuses what reasoning models refuse. */
const CHAT_VARIANT = /^gpt-5[\d.]*-chat/
const SYSTEMLESS = /^o1-(mini|preview)/
const SEARCH = /^gpt-4o.*search/
const EFFORT_SUFFIX = /^((?:o\d|gpt-5).*?)-(none|minimal|low|medium|high|xhigh)$/

/** What reasoning models and search models refuse. */
const SAMPLING = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
]

/** Whether a name is of OpenAI's own models, which take no other vendor's fields. */
export function isOpenAiModel(model: string): boolean {
  return OPENAI_MODEL.test(model)
}

/** `o3-mini-high` is `o3-mini` with effort: the name an upstream knows, and the effort that the suffix asks for. */
export function openAiSuffix(model: string): { model: string; effort?: string } {
  const [, name, effort] = EFFORT_SUFFIX.exec(model) ?? []
  // The o-series knows three efforts; another ending is part of a name.
  const isKnown = effort !== undefined && (model.startsWith('gpt-5') || /^(low|medium|high)$/.test(effort))
  return name && isKnown ? { model: name, effort } : { model }
}

/** Whether a model refuses to be told how to sample, as those do that reason. */
export function refusesSampling(model: string): boolean {
  return REASONING.test(model) && !CHAT_VARIANT.test(model)
}

/** A chat body as OpenAI's models take it, by the name of the model. */
export function openAiModelRules(body: Json): Json {
  const { model, effort } = openAiSuffix(wordOf(body.model))
  const named = withFewStops(effort ? { ...body, model, reasoning_effort: effort } : body, model)
  if (SEARCH.test(model)) return without(named, SAMPLING)
  if (!refusesSampling(model)) return withoutThinking(named, model)
  const plain = without(renamed(named, { max_tokens: 'max_completion_tokens' }), SAMPLING)
  return withKnownEffort(withRoles(plain, model), model)
}

const STOP_SEQUENCES_MAX = 4

function withFewStops(body: Json, model: string): Json {
  const { stop } = body
  if (!Array.isArray(stop) || stop.length <= STOP_SEQUENCES_MAX || !isOpenAiModel(model)) return body
  return { ...body, stop: stop.slice(0, STOP_SEQUENCES_MAX) }
}

/** Earlier models refuse to be told how much to think. */
function withoutThinking(body: Json, model: string): Json {
  if (!/^(gpt-[34]|chatgpt-)/.test(model)) return body
  const audio = objectOf(body.audio)
  // Spoken output can be streamed in one format only.
  const isSpoken = body.stream === true && model.includes('-audio') && body.audio && audio.format === undefined
  return without(isSpoken ? { ...body, audio: { ...audio, format: 'pcm16' } } : body, ['reasoning_effort', 'verbosity'])
}

/** The first of the o-series know no instructions at all, the later ones only a developer's. */
function withRoles(body: Json, model: string): Json {
  const messages = Array.isArray(body.messages) ? body.messages : []
  if (SYSTEMLESS.test(model)) {
    const isInstruction = ({ role }: Json) => role === 'system' || role === 'developer'
    if (!messages.some((message) => isInstruction(objectOf(message)))) return body
    return {
      ...body,
      messages: messages.map((message) => (isInstruction(objectOf(message)) ? { ...message, role: 'user' } : message)),
    }
  }
  const [first, ...rest] = messages
  if (objectOf(first).role !== 'system') return body
  return { ...body, messages: [{ ...first, role: 'developer' }, ...rest] }
}

/** The nearest effort that a model knows. */
function withKnownEffort(body: Json, model: string): Json {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return body
  if (SYSTEMLESS.test(model)) return without(body, ['reasoning_effort'])
  const known = nearest(effort, model)
  return known === effort ? body : { ...body, reasoning_effort: known }
}

function nearest(effort: string, model: string): string {
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

/** A chat body as xAI's models take it. */
export function xaiModelRules(body: Json): Json {
  const [, model, effort] = GROK_SUFFIX.exec(wordOf(body.model)) ?? []
  const named = model
    ? renamed({ ...body, model, reasoning_effort: effort }, { max_tokens: 'max_completion_tokens' })
    : body
  if (!GROK_REASONING.test(wordOf(named.model))) return named
  return without(named, ['presence_penalty', 'frequency_penalty', 'stop'])
}
