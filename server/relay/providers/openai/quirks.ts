import type { Quirks, ThinkingRules, ToolRules } from '../../../../core/channels/settings/quirks.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, type Json, objectsOf, wordOf } from '../../json.ts'
import { withFieldRules, withoutFields } from './fields.ts'
import { withMessageRules } from './message-rules.ts'
import { isOpenAiModel, openAiModelRules, xaiModelRules } from './model-rules.ts'

const MODEL_RULES = { openai: openAiModelRules, xai: xaiModelRules }

/**
 * Applies the vendor's quirks to a chat body whose `model` is the upstream's name. Returns the same object if nothing
 * changes, so that the gateway can send the client's bytes.
 */
export function applyQuirks(body: Json, quirks: Quirks): Json {
  let out = quirks.models ? MODEL_RULES[quirks.models](body) : body
  out = withMessages(out, quirks)
  out = withToolRules(out, quirks.tools ?? {})
  if (quirks.thinking) out = adaptWhileThinking(withVendorFields(out, quirks.thinking), quirks.thinking)
  return withFieldRules(out, quirks.fields?.chat)
}

function withMessages(body: Json, quirks: Quirks): Json {
  if (!Array.isArray(body.messages)) return body
  const developer = quirks.messages?.developer || (quirks.models === 'openai' && isOpenAiModel(wordOf(body.model)))
  const messages = withMessageRules(body.messages, { ...quirks.messages, developer }, quirks.tools ?? {})
  return messages === body.messages ? body : { ...body, messages }
}

const TOOL_FIELDS = ['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call']
const TOOL_CHOICE_FIELDS = ['tools', 'tool_choice', 'parallel_tool_calls']

function withToolRules(body: Json, { none, required, unnamed }: ToolRules): Json {
  if (none) return withoutFields(body, TOOL_FIELDS)
  // Many vendors reject an empty list of tools, and a tool choice without tools.
  if (arrayOf(body.tools).length === 0) return withoutFields(body, TOOL_CHOICE_FIELDS)
  const choice = isRecord(body.tool_choice) && unnamed ? 'required' : body.tool_choice
  const vendorChoice = choice === 'required' && required !== undefined ? required : choice
  return vendorChoice === body.tool_choice ? body : { ...body, tool_choice: vendorChoice }
}

/** Converts `reasoning_effort` to the vendor's fields. The client's values of these fields take precedence. */
function withVendorFields(body: Json, { as, efforts = {} }: ThinkingRules): Json {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return body
  const { reasoning_effort: _, ...rest } = body
  const isOn = effort !== 'none'
  const vendorEffort = efforts[effort]
  if (as === 'reasoning') return { reasoning: isOn ? { effort: vendorEffort ?? effort } : { enabled: false }, ...rest }
  const toggle = as === 'type' ? { thinking: { type: isOn ? 'enabled' : 'disabled' } } : { enable_thinking: isOn }
  return { ...toggle, ...(vendorEffort !== undefined && { reasoning_effort: vendorEffort }), ...rest }
}

/** Applies the rules for a request with thinking: drops fields, and adds missing reasoning. */
function adaptWhileThinking(body: Json, { thinksByDefault, drop = [], needsReasoningBack }: ThinkingRules): Json {
  const type = recordOf(body.thinking).type
  const isThinking =
    type === 'enabled' ||
    (type === undefined && thinksByDefault !== undefined && new RegExp(thinksByDefault).test(wordOf(body.model)))
  if (!isThinking) return body
  const plain = withoutFields(body, drop)
  return needsReasoningBack ? withThoughts(plain) : plain
}

/** Adds empty reasoning to messages with tool calls and without reasoning, because the vendor requires the field. */
function withThoughts(body: Json): Json {
  const lacksReasoning = (message: unknown) =>
    isRecord(message) && objectsOf(message.tool_calls).length > 0 && typeof message.reasoning_content !== 'string'
  const { messages } = body
  if (!Array.isArray(messages) || !messages.some(lacksReasoning)) return body
  return {
    ...body,
    messages: messages.map((message) => (lacksReasoning(message) ? { ...message, reasoning_content: '' } : message)),
  }
}
