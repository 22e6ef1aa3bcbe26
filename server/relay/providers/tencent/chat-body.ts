import { defined, recordOf } from '../../../../core/records.ts'
import type { Conversation, ToolChoice, Turn } from '../../conversation/conversation.ts'
import { mergeTurns, splitSystem, systemAsUser, withoutBlanks } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, objectsOf } from '../../json.ts'
import { chatMessages } from '../openai/chat-messages.ts'
import {
  beginningWithUser,
  checkPlainReply,
  clamp,
  type OfferedFunction,
  offeredFunctions,
  stopsOf,
} from '../plain-conversation.ts'
import { withPascalNames } from './field-names.ts'

const STOPS_MAX = 4

/**
 * Returns the body for Hunyuan's ChatCompletions. Throws REQUEST_MALFORMED for content other than text and images, and
 * the errors of `checkPlainReply`. https://cloud.tencent.com/document/api/1729/105701
 */
export function hunyuanChatBody(
  conversation: Conversation,
  { model, stream }: { model: string; stream: boolean },
): Record<string, unknown> {
  checkPlainReply(conversation)
  const { temperature, topP, stop, seed, webSearch, toolChoice } = conversation
  const tools = offeredFunctions(conversation)
  return defined({
    Model: model,
    Messages: chatMessages(alternatingTurns(conversation.turns), { strict: true }).map(wireMessage),
    Stream: stream,
    Temperature: clamp(temperature, [0, 2]),
    TopP: clamp(topP, [0, 1]),
    Stop: stopsOf(stop, STOPS_MAX),
    Seed: seed,
    ...(tools.length > 0 && { Tools: tools.map(wireTool), ...wireChoice(tools, toolChoice) }),
    ...(webSearch && { EnableEnhancement: true, SearchInfo: true }),
  })
}

/** Returns one turn with all instructions, then alternating turns of user and assistant. No turn is empty. */
function alternatingTurns(turns: readonly Turn[]): Turn[] {
  const { system, rest } = splitSystem(withoutBlanks(turns))
  return [...mergeTurns(system), ...beginningWithUser(mergeTurns(systemAsUser(rest)))]
}

function wireMessage({ role, content, tool_call_id, tool_calls }: Json): Json {
  return defined({
    Role: role,
    ...wireContent(content),
    ToolCallId: tool_call_id,
    ToolCalls: tool_calls && objectsOf(tool_calls).map(withPascalNames),
  })
}

/** Returns the content of a message. All models read the text `Content`, but only vision models the list `Contents`. */
function wireContent(content: unknown): Json {
  if (!Array.isArray(content)) return { Content: typeof content === 'string' ? content : '' }
  const parts = objectsOf(content)
  if (parts.every(({ type }) => type === 'text')) return { Content: parts.map(({ text }) => text).join('\n') }
  return { Contents: parts.map(wirePart) }
}

function wirePart({ type, text, image_url }: Json): Json {
  if (type === 'text') return { Type: 'text', Text: text }
  if (type === 'image_url') return { Type: 'image_url', ImageUrl: { Url: recordOf(image_url).url } }
  return refuse(`messages: this model reads texts and images, not a part of type ${type}; send its content as text`)
}

function wireTool({ name, parameters, description }: OfferedFunction): Json {
  const called = defined({ Name: name, Parameters: JSON.stringify(parameters), Description: description })
  return { Type: 'function', Function: called }
}

/** Returns the tool choice. Hunyuan can force a call only if there is a single tool. */
function wireChoice(tools: readonly OfferedFunction[], choice: ToolChoice | undefined): Json {
  const [tool] = tools
  if (choice?.mode === 'required' && tools.length === 1 && tool) {
    return { ToolChoice: 'custom', CustomTool: wireTool(tool) }
  }
  return choice ? { ToolChoice: 'auto' } : {}
}
