import type { Quirks, ToolRules } from '../../../../core/channels/settings/quirks.ts'
import { isRecord } from '../../../../core/records.ts'
import { arrayOf, type Json, wordOf } from '../../json.ts'
import { withFieldRules, withoutFields } from './fields.ts'
import { withMessageRules } from './message-rules.ts'
import { isOpenAiModel, openAiModelRules, xaiModelRules } from './model-rules.ts'
import { withVendorThinking } from './thinking.ts'

const MODEL_RULES = { openai: openAiModelRules, xai: xaiModelRules }

/**
 * Applies the vendor's quirks to a chat body whose `model` is the upstream's name. Returns the same object if nothing
 * changes, so that the client's bytes can be sent.
 */
export function applyQuirks(body: Json, quirks: Quirks): Json {
  let out = quirks.models ? MODEL_RULES[quirks.models](body) : body
  out = withMessages(out, quirks)
  out = withToolRules(out, quirks.tools ?? {})
  if (quirks.thinking) out = withVendorThinking(out, quirks.thinking)
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
