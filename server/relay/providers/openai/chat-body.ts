import { createHash } from 'node:crypto'
import type { Conversation, Effort, Reasoning, ReplyFormat, Tool } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined, type Json } from '../../json.ts'
import { chatMessages, type MessageOptions } from './chat-messages.ts'

export interface ChatBodyOptions extends MessageOptions {
  /** The upstream's name of the model. */
  readonly model: string
  readonly stream: boolean
  /** The upstream is asked to report usage at the end of a stream. */
  readonly streamUsage?: boolean
}

/**
 * A conversation as a chat completions request. Fields are those OpenAI documents, with `top_k` unless `strict`; what a
 * vendor wants otherwise is the matter of its quirks. https://platform.openai.com/docs/api-reference/chat/create
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
    user: conversation.user === undefined ? undefined : shortUser(conversation.user),
    service_tier: conversation.serviceTier,
    metadata: conversation.metadata,
    stream,
    stream_options: stream && streamUsage ? { include_usage: true } : undefined,
  })
}

/** Fields of OpenAI's chat completions that requests in other formats have under the same name. */
const SHARED_FIELDS = new Set(['logit_bias', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'])
/** Those of them that all vendors take. */
const COMMON_FIELDS = new Set(['logit_bias'])

/** What a client of another format sends may be unknown here, and many vendors reject unknown fields. */
function extrasOf({ client = 'openai-chat', extras }: Conversation, { customTools: isOpenAi }: ChatBodyOptions): Json {
  if (client === 'openai-chat') return extras
  const known = isOpenAi ? SHARED_FIELDS : COMMON_FIELDS
  return Object.fromEntries(Object.entries(extras).filter(([name]) => known.has(name)))
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

/** A budget in tokens as the nearest effort; undefined: the model decides. */
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
 * Some vendors refuse a tool choice without tools, so both go or none. One tool that must be called is named. Of several
 * that may be, the others are left out: every vendor understands that.
 */
function toolFields({ tools, toolChoice, parallelCalls }: Conversation, options: ChatBodyOptions): Json {
  const { mode, names } = toolChoice ?? {}
  const [named] = mode === 'required' && names?.length === 1 ? tools.filter(({ name }) => name === names[0]) : []
  const wanted = named || !names ? tools : tools.filter(({ name }) => names.includes(name))
  const wire = wanted.flatMap((tool) => wireTool(tool, options))
  if (wire.length === 0) return {}
  return {
    tools: wire,
    tool_choice: named ? choiceOf(named, options) : mode,
    parallel_tool_calls: parallelCalls,
  }
}

function choiceOf({ name, custom }: Tool, { customTools }: ChatBodyOptions): Json {
  return custom && customTools ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
}

const NO_ARGUMENTS = { type: 'object', properties: {} }
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

function wireTool(tool: Tool, { customTools }: ChatBodyOptions): Json[] {
  const { description, vendor } = tool
  if (vendor?.dialect === 'openai-chat') return [{ ...vendor.tool }]
  if (vendor && !tool.parameters)
    return refuse(`tools: ${tool.name} runs only at its own vendor; leave it out, or ask a model of that vendor`)
  const name = typeof vendor?.tool.name === 'string' ? vendor.tool.name : tool.name
  if (tool.custom && customTools)
    return [{ type: 'custom', custom: defined({ name, description, format: tool.custom.format }) }]
  const isBare = !tool.parameters || Object.keys(tool.parameters).length === 0
  const parameters = tool.custom ? FREE_TEXT : isBare ? NO_ARGUMENTS : tool.parameters
  return [{ type: 'function', function: defined({ name, description, parameters, strict: tool.strict }) }]
}

const USER_LENGTH_MAX = 64

/** OpenAI refuses longer names; a digest stands for the same user each time. */
function shortUser(user: string): string {
  return user.length > USER_LENGTH_MAX ? createHash('sha256').update(user).digest('hex') : user
}
