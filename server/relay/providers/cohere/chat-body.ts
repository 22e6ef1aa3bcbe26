import { defined } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, Tool } from '../../conversation/conversation.ts'
import { pairResults, withoutBlanks } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { chatMessages } from '../openai/chat-messages.ts'
import { FREE_TEXT } from '../openai/custom-calls.ts'

/** Fields that only Cohere has, which are forwarded unchanged. */
const OWN_FIELDS = ['documents', 'citation_options', 'safety_mode', 'priority'] as const
const STOPS_MAX = 5

/** Returns the body for version 2 of chat. Throws REQUEST_MALFORMED. https://docs.cohere.com/reference/chat */
export function cohereChatBody(
  conversation: Conversation,
  { model, stream }: { model: string; stream: boolean },
): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
  const stops = conversation.stop?.filter((sequence) => sequence.trim() !== '').slice(0, STOPS_MAX)
  return defined({
    ...Object.fromEntries(OWN_FIELDS.map((name) => [name, conversation.extras[name]])),
    model,
    messages: messagesOf(conversation),
    stream,
    max_tokens: conversation.maxTokens,
    temperature: conversation.temperature,
    p: conversation.topP,
    k: conversation.topK,
    seed: conversation.seed,
    frequency_penalty: clampPenalty(conversation.frequencyPenalty),
    presence_penalty: clampPenalty(conversation.presencePenalty),
    stop_sequences: stops?.length ? stops : undefined,
    response_format: responseFormat(conversation),
    thinking: thinking(conversation),
    ...toolFields(conversation),
  })
}

/** Limits a penalty to Cohere's range from 0 to 1. OpenAI's range is from -2 to 2. */
function clampPenalty(penalty: number | undefined): number | undefined {
  return penalty === undefined ? undefined : Math.min(1, Math.max(0, penalty))
}

function messagesOf({ turns }: Conversation): Json[] {
  const messages = chatMessages(withoutBlanks(pairResults(turns)), { reasoning: 'content' }).flatMap(messageOf)
  if (messages.length === 0) refuse('messages: there is no text in them')
  return messages
}

/** Converts a chat message. Reasoning before calls becomes the field `tool_plan`. Other reasoning is dropped. */
function messageOf({ role, content, tool_calls, tool_call_id, reasoning_content }: Json): Json[] {
  for (const { type } of objectsOf(content)) {
    if (type !== 'text' && type !== 'image_url') {
      refuse(`messages.content: this model does not accept parts of type ${wordOf(type)}; send text or images`)
    }
  }
  const calls = objectsOf(tool_calls).map(({ id, type, function: called }) => ({ id, type, function: called }))
  const lacksContent = content === null || content === ''
  if (role !== 'tool' && lacksContent && calls.length === 0) return []
  return [
    defined({
      role,
      content: role !== 'tool' && lacksContent ? undefined : content,
      tool_call_id,
      ...(calls.length > 0 && { tool_plan: reasoning_content, tool_calls: calls }),
    }),
  ]
}

function responseFormat({ format }: Conversation): Json | undefined {
  if (!format) return undefined
  return format.kind === 'json' ? { type: 'json_object' } : { type: 'json_object', json_schema: format.schema }
}

function thinking({ reasoning: { effort, budget } = {} }: Conversation): Json | undefined {
  if (effort === undefined && budget === undefined) return undefined
  if (effort === 'none' || budget === 0) return { type: 'disabled' }
  return defined({ type: 'enabled', token_budget: budget !== undefined && budget > 0 ? budget : undefined })
}

/** Returns the tool fields. Cohere has no tool choice by name, so only the allowed tools are sent. */
function toolFields({ tools, toolChoice = { mode: 'auto' } }: Conversation): Json {
  const { mode, names } = toolChoice
  const allowedTools = tools.filter(({ name }) => !names || names.includes(name))
  if (allowedTools.length === 0) return {}
  return defined({
    tools: allowedTools.map(toolOf),
    tool_choice: mode === 'auto' ? undefined : mode === 'none' ? 'NONE' : 'REQUIRED',
    strict_tools: allowedTools.every(({ strict }) => strict) || undefined,
  })
}

function toolOf({ name, description, parameters, custom, vendor }: Tool): Json {
  if (vendor) refuse(`tools: ${name} is a tool of another vendor's models; send functions`)
  const schema = custom ? FREE_TEXT : { type: 'object', ...(parameters ?? { properties: {} }) }
  return { type: 'function', function: defined({ name, description, parameters: schema }) }
}
