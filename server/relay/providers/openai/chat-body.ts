import { createHash } from 'node:crypto'
import { defined } from '../../../../core/records.ts'
import type { Conversation, Effort, Reasoning, ReplyFormat, Tool } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { chatMessages, type MessageOptions } from './chat-messages.ts'
import { FREE_TEXT } from './custom-calls.ts'

export interface ChatBodyOptions extends MessageOptions {
  /** The upstream's model name. */
  readonly model: string
  readonly stream: boolean
  /** Whether to request usage at the end of a stream. */
  readonly streamUsage?: boolean
}

/**
 * Converts a conversation to a chat completions request. Besides OpenAI's fields, writes the client's extra fields, and
 * `top_k` unless `strict` is true. `options` has the vendor's differences in messages and tools. `applyQuirks` applies
 * all other differences to the result. https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatBody(conversation: Conversation, options: ChatBodyOptions): Json {
  const { model, stream, streamUsage, strict } = options
  return defined({
    ...extrasOf(conversation, options),
    model,
    messages: chatMessages(conversation.turns, options),
    max_tokens: conversation.maxTokens,
    ...sampling(conversation),
    top_k: strict ? undefined : conversation.topK,
    reasoning_effort: effortOf(conversation.reasoning),
    response_format: conversation.format && responseFormat(conversation.format),
    verbosity: conversation.verbosity,
    modalities: conversation.modalities,
    audio: conversation.audio,
    web_search_options: conversation.webSearch,
    ...toolFields(conversation, options),
    user: conversation.user && shortUser(conversation.user),
    service_tier: conversation.serviceTier,
    // OpenAI rejects metadata without `store`, and the gateway forwards `store` only for clients of chat completions.
    metadata: isFromChatClient(conversation) ? conversation.metadata : undefined,
    stream,
    stream_options: stream && streamUsage ? { include_usage: true } : undefined,
  })
}

/** Extra fields with the same name in other formats. Only OpenAI's models accept all of them. */
const SHARED_FIELDS = new Set(['logit_bias', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'])
/** Shared fields that all vendors accept. */
const COMMON_FIELDS = new Set(['logit_bias'])

function isFromChatClient({ client = 'openai-chat' }: Conversation): boolean {
  return client === 'openai-chat'
}

/**
 * Returns the extra fields to send. If the client does not use chat completions, returns only extra fields that the
 * vendor is known to accept.
 */
function extrasOf(conversation: Conversation, { customTools: isOpenAi }: ChatBodyOptions): Json {
  const { extras } = conversation
  if (isFromChatClient(conversation)) return extras
  const knownFields = isOpenAi ? SHARED_FIELDS : COMMON_FIELDS
  return Object.fromEntries(Object.entries(extras).filter(([name]) => knownFields.has(name)))
}

function sampling(conversation: Conversation): Json {
  const stop = conversation.stop?.filter((sequence) => sequence !== '')
  return {
    temperature: conversation.temperature,
    top_p: conversation.topP,
    stop: stop?.length ? stop : undefined,
    seed: conversation.seed,
    presence_penalty: conversation.presencePenalty,
    frequency_penalty: conversation.frequencyPenalty,
    n: conversation.choices,
    logprobs: conversation.logprobs,
    top_logprobs: conversation.topLogprobs,
  }
}

const LOW_BUDGET_MAX = 2048
const MEDIUM_BUDGET_MAX = 8192

/** Returns the client's effort, or an effort for its token budget. Undefined if the model decides. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  const { effort, budget } = reasoning ?? {}
  if (effort !== undefined || budget === undefined || budget < 0) return effort
  if (budget === 0) return 'none'
  return budget < LOW_BUDGET_MAX ? 'low' : budget < MEDIUM_BUDGET_MAX ? 'medium' : 'high'
}

function responseFormat(format: ReplyFormat): Json {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, schema, strict, description } = format
  return { type: 'json_schema', json_schema: defined({ name, schema, strict, description }) }
}

/**
 * Returns the tool fields, or none without tools, because some vendors reject a tool choice without tools.
 *
 * A choice that requires one certain tool names this tool. Any other choice with names is sent as its mode only, with
 * only the named tools in `tools`.
 */
function toolFields({ tools, toolChoice, parallelCalls }: Conversation, options: ChatBodyOptions): Json {
  const { mode, names } = toolChoice ?? {}
  const [requiredTool] = mode === 'required' && names?.length === 1 ? tools.filter(({ name }) => name === names[0]) : []
  const choosableTools = requiredTool || !names ? tools : tools.filter(({ name }) => names.includes(name))
  const wireTools = choosableTools.flatMap((tool) => wireTool(tool, options))
  if (wireTools.length === 0) return {}
  return {
    tools: wireTools,
    tool_choice: requiredTool ? choiceOf(requiredTool, options) : mode,
    parallel_tool_calls: parallelCalls,
  }
}

function choiceOf({ name, custom }: Tool, { customTools }: ChatBodyOptions): Json {
  return custom && customTools ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

function wireTool(tool: Tool, { customTools, cacheMarks }: ChatBodyOptions): Json[] {
  const { description, vendor } = tool
  const mark = cacheMarks && tool.cache ? { cache_control: tool.cache } : {}
  if (vendor?.dialect === 'openai-chat') return [{ ...vendor.tool }]
  if (vendor && !tool.parameters)
    return refuse(`tools: ${tool.name} runs only at its own vendor; leave it out, or ask a model of that vendor`)
  const name = typeof vendor?.tool.name === 'string' ? vendor.tool.name : tool.name
  if (tool.custom && customTools)
    return [{ type: 'custom', custom: defined({ name, description, format: tool.custom.format }), ...mark }]
  const lacksParameters = !tool.parameters || Object.keys(tool.parameters).length === 0
  const parameters = tool.custom ? FREE_TEXT : lacksParameters ? NO_ARGUMENTS : tool.parameters
  return [{ type: 'function', function: defined({ name, description, parameters, strict: tool.strict }), ...mark }]
}

const USER_LENGTH_MAX = 64

/** Returns the user id, or its hash if it is longer than `lengthMax`. The hash still identifies the user. */
export function shortUser(user: string, lengthMax = USER_LENGTH_MAX): string {
  return user.length > lengthMax ? createHash('sha256').update(user).digest('hex') : user
}
