import { GatewayError } from '../../../../core/errors.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, ReplyFormat, Tool, Turn } from '../../conversation/conversation.ts'
import { searchesOf } from '../../conversation/searches.ts'
import { splitSystem, textOfParts } from '../../conversation/turns.ts'
import { defined, isObject, type Json } from '../../json.ts'
import { effortOf } from './chat-body.ts'
import { inputItems } from './responses-items.ts'

export interface ResponsesBodyOptions {
  /** The upstream's name of the model. */
  readonly model: string
  readonly stream: boolean
  /** The model refuses to be told how to sample, as reasoning models do. */
  readonly withoutSampling?: boolean
}

/** OpenAI refuses less. */
export const OUTPUT_TOKENS_MIN = 16
/** Fields that chat completions have under the same name. This format rejects fields that it does not know. */
const SHARED_FIELDS = new Set(['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'])

/**
 * A conversation as a Responses request that leaves nothing on the upstream's disks: its thoughts come back encrypted.
 * Throws REQUEST_MALFORMED for what this format cannot ask: https://platform.openai.com/docs/api-reference/responses/create
 */
export function responsesBody(conversation: Conversation, options: ResponsesBodyOptions): Json {
  refuseFeatures(
    conversation,
    options.withoutSampling ? ['choices', 'modalities', 'logprobs'] : ['choices', 'modalities'],
  )
  const { extras, turns, maxTokens, user, metadata, serviceTier, logprobs } = conversation
  return defined({
    ...Object.fromEntries(Object.entries(extras).filter(([name]) => SHARED_FIELDS.has(name))),
    model: options.model,
    ...inputOf(turns),
    max_output_tokens: maxTokens === undefined ? undefined : Math.max(OUTPUT_TOKENS_MIN, maxTokens),
    ...(options.withoutSampling ? {} : sampling(conversation)),
    reasoning: reasoningOf(conversation),
    text: textOf(conversation),
    ...toolFields(conversation),
    user,
    metadata,
    service_tier: serviceTier,
    store: false,
    include: ['reasoning.encrypted_content', ...(logprobs ? [LOGPROBS] : [])],
    stream: options.stream,
  })
}

const LOGPROBS = 'message.output_text.logprobs'

function refuse(reason: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason })
}

/** Instructions before the first word are a field of their own, unless nothing follows, or they are more than text. */
function inputOf(turns: readonly Turn[]): Json {
  const { system, rest } = splitSystem(turns)
  const isText = system.every(({ parts }) => parts.every(({ kind }) => kind === 'text'))
  if (rest.length === 0 || system.length === 0 || !isText) return { input: inputItems(turns) }
  const instructions = system.map(({ parts }) => textOfParts(parts, '\n\n')).join('\n\n')
  return { ...(instructions !== '' && { instructions }), input: inputItems(rest) }
}

/** `seed`, `top_k` and the penalties do not exist here. */
function sampling({ temperature, topP, topLogprobs }: Conversation): Json {
  return { temperature, top_p: topP, top_logprobs: topLogprobs }
}

function reasoningOf({ reasoning }: Conversation): Json | undefined {
  const effort = effortOf(reasoning)
  if (effort === undefined && !reasoning?.visible) return undefined
  return defined({ effort, summary: reasoning?.visible ? 'auto' : undefined })
}

function textOf({ format, verbosity }: Conversation): Json | undefined {
  if (!format && verbosity === undefined) return undefined
  return defined({ format: format && formatOf(format), verbosity })
}

function formatOf(format: ReplyFormat): Json {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, schema, strict, description } = format
  return defined({ type: 'json_schema', name, schema, strict, description })
}

/** A choice among no tools is refused, so all of it goes or none. */
function toolFields(conversation: Conversation): Json {
  const { tools, toolChoice, parallelCalls, webSearch } = conversation
  const wire = [...tools.map(wireTool), ...(webSearch ? [searchTool(webSearch)] : [])]
  if (wire.length === 0) return {}
  return {
    tools: wire,
    tool_choice: choiceOf(toolChoice, tools),
    parallel_tool_calls: parallelCalls,
    max_tool_calls: webSearch && searchesOf(conversation),
  }
}

function wireTool({ name, description, parameters, strict, custom, vendor }: Tool): Json {
  if (vendor?.dialect === 'openai-responses') return { ...vendor.tool }
  if (vendor && !parameters) return refuse(`the tool "${name}" does not exist for this model: leave it out`)
  if (custom) return defined({ type: 'custom', name, description, format: customFormat(custom.format) })
  // Absent, strictness is on here and off in other formats.
  const schema = parameters ?? { type: 'object', properties: {} }
  return defined({ type: 'function', name, description, parameters: schema, strict: strict ?? false })
}

/** Chat completions nest a grammar; here it is flat. */
function customFormat(format: unknown): unknown {
  return isObject(format) && isObject(format.grammar) ? { type: format.type, ...format.grammar } : format
}

function searchTool({ user_location, ...options }: Readonly<Json>): Json {
  if (!isObject(user_location)) return { type: 'web_search', ...options }
  const { approximate, ...rest } = user_location
  return { type: 'web_search', ...options, user_location: { ...rest, ...(isObject(approximate) && approximate) } }
}

function choiceOf(choice: Conversation['toolChoice'], tools: readonly Tool[]): unknown {
  const { mode, names } = choice ?? {}
  if (!names || mode === 'none') return mode
  const named = names.map((name) => {
    const isCustom = tools.some((tool) => tool.name === name && tool.custom)
    return { type: isCustom ? 'custom' : 'function', name }
  })
  return mode === 'required' && named.length === 1 ? named[0] : { type: 'allowed_tools', mode, tools: named }
}
