import { defined } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, Tool } from '../../conversation/conversation.ts'
import { pairResults, withoutBlanks } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { chatMessages } from '../openai/chat-messages.ts'
import { FREE_TEXT } from '../openai/custom-calls.ts'
import { clamp, stopsOf } from '../plain-conversation.ts'

/** Fields that only Cohere has, which are forwarded unchanged. */
const OWN_FIELDS = ['documents', 'citation_options', 'safety_mode', 'priority'] as const
const STOPS_MAX = 5
/** Cohere's range of penalties. OpenAI's range is from -2 to 2. */
const PENALTIES = [0, 1] as const

/** Returns the body for version 2 of the Chat API. Throws REQUEST_MALFORMED. https://docs.cohere.com/reference/chat */
export function cohereChatBody(
  conversation: Conversation,
  { model, stream }: { model: string; stream: boolean },
): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
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
    frequency_penalty: clamp(conversation.frequencyPenalty, PENALTIES),
    presence_penalty: clamp(conversation.presencePenalty, PENALTIES),
    stop_sequences: stopsOf(conversation.stop, STOPS_MAX),
    response_format: responseFormat(conversation),
    thinking: thinking(conversation),
    ...toolFields(conversation),
  })
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

/** Returns the tool fields. Only the tools that the choice allows are sent, because Cohere has no choice by name. */
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
