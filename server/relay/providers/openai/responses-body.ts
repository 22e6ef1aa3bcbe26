import { defined, isRecord } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, ReplyFormat, Tool, Turn } from '../../conversation/conversation.ts'
import { searchesOf } from '../../conversation/searches.ts'
import { splitSystem, textOfParts } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { effortOf } from './chat-body.ts'
import { inputItems } from './responses-items.ts'

interface ResponsesBodyOptions {
  /** The upstream's model name. */
  readonly model: string
  readonly stream: boolean
  /** True if the model rejects sampling fields, as reasoning models do. */
  readonly withoutSampling?: boolean
}

/** Minimum of `max_output_tokens` that OpenAI accepts. */
export const OUTPUT_TOKENS_MIN = 16
/** Client fields that are forwarded unchanged. The Responses API rejects unknown fields. */
const SHARED_FIELDS = new Set(['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'])

/**
 * Converts a conversation to a Responses request. Throws REQUEST_MALFORMED for unsupported features. Requests encrypted
 * reasoning, which the next turn needs, because the upstream must not store the response.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export function responsesBody(conversation: Conversation, options: ResponsesBodyOptions): Json {
  refuseFeatures(
    conversation,
    options.withoutSampling ? ['choices', 'modalities', 'bias', 'logprobs'] : ['choices', 'modalities', 'bias'],
  )
  const { extras, turns, maxTokens, user, metadata, serviceTier, logprobs } = conversation
  return defined({
    ...Object.fromEntries(Object.entries(extras).filter(([name]) => SHARED_FIELDS.has(name))),
    model: options.model,
    ...inputOf(turns),
    max_output_tokens: maxTokens === undefined ? undefined : Math.max(OUTPUT_TOKENS_MIN, maxTokens),
    ...(options.withoutSampling ? {} : sampling(conversation)),
    reasoning: reasoningOf(conversation),
    text: textField(conversation),
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

/** Returns turns as input items. Leading instructions become `instructions` if they are text and other turns follow. */
function inputOf(turns: readonly Turn[]): Json {
  const { system, rest } = splitSystem(turns)
  const isText = system.every(({ parts }) => parts.every(({ kind }) => kind === 'text'))
  if (rest.length === 0 || system.length === 0 || !isText) return { input: inputItems(turns) }
  const instructions = system.map(({ parts }) => textOfParts(parts, '\n\n')).join('\n\n')
  return { ...(instructions !== '' && { instructions }), input: inputItems(rest) }
}

/** Returns the sampling fields. The Responses API has no `seed`, no `top_k` and no penalties. */
function sampling({ temperature, topP, topLogprobs }: Conversation): Json {
  return { temperature, top_p: topP, top_logprobs: topLogprobs }
}

function reasoningOf({ reasoning }: Conversation): Json | undefined {
  const effort = effortOf(reasoning)
  if (effort === undefined && !reasoning?.visible) return undefined
  return defined({ effort, summary: reasoning?.visible ? 'auto' : undefined })
}

function textField({ format, verbosity }: Conversation): Json | undefined {
  if (!format && verbosity === undefined) return undefined
  return defined({ format: format && formatOf(format), verbosity })
}

function formatOf(format: ReplyFormat): Json {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, schema, strict, description } = format
  return defined({ type: 'json_schema', name, schema, strict, description })
}

/** Returns the tool fields. Without tools, returns none, because the upstream rejects a tool choice without tools. */
function toolFields(conversation: Conversation): Json {
  const { tools, toolChoice, parallelCalls, webSearch } = conversation
  const wireTools = [...tools.map(wireTool), ...(webSearch ? [searchTool(webSearch)] : [])]
  if (wireTools.length === 0) return {}
  return {
    tools: wireTools,
    tool_choice: choiceOf(toolChoice, tools),
    parallel_tool_calls: parallelCalls,
    max_tool_calls: webSearch && searchesOf(conversation),
  }
}

function wireTool({ name, description, parameters, strict, custom, vendor }: Tool): Json {
  if (vendor?.dialect === 'openai-responses') return { ...vendor.tool }
  if (vendor && !parameters) return refuse(`the tool "${name}" does not exist for this model: leave it out`)
  if (custom) return defined({ type: 'custom', name, description, format: customFormat(custom.format) })
  // By default, `strict` is true in this format, but false in other formats.
  const schema = parameters ?? { type: 'object', properties: {} }
  return defined({ type: 'function', name, description, parameters: schema, strict: strict ?? false })
}

/** Converts a custom tool's format from chat completions, where the grammar is a nested object. */
function customFormat(format: unknown): unknown {
  return isRecord(format) && isRecord(format.grammar) ? { type: format.type, ...format.grammar } : format
}

function searchTool({ user_location, ...options }: Readonly<Json>): Json {
  if (!isRecord(user_location)) return { type: 'web_search', ...options }
  const { approximate, ...rest } = user_location
  return { type: 'web_search', ...options, user_location: { ...rest, ...(isRecord(approximate) && approximate) } }
}

function choiceOf(choice: Conversation['toolChoice'], tools: readonly Tool[]): unknown {
  const { mode, names } = choice ?? {}
  if (!names || mode === 'none') return mode
  const toolChoices = names.map((name) => {
    const isCustom = tools.some((tool) => tool.name === name && tool.custom)
    return { type: isCustom ? 'custom' : 'function', name }
  })
  return mode === 'required' && toolChoices.length === 1
    ? toolChoices[0]
    : { type: 'allowed_tools', mode, tools: toolChoices }
}
