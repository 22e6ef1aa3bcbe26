import type { ThinkingRules } from '../../../../core/channels/settings/quirks.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { withoutFields } from './fields.ts'

/** Converts `reasoning_effort` to the vendor's fields. Vendor fields from the client take precedence. */
export function withVendorThinking(body: Json, rules: ThinkingRules): Json {
  return adaptWhileThinking(toVendorFields(body, rules), rules)
}

function toVendorFields(body: Json, { as, efforts = {} }: ThinkingRules): Json {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return body
  const { reasoning_effort: _, ...rest } = body
  const isOn = effort !== 'none'
  const vendorEffort = efforts[effort]
  if (as === 'reasoning') return { reasoning: isOn ? { effort: vendorEffort ?? effort } : { enabled: false }, ...rest }
  const toggle = as === 'type' ? { thinking: { type: isOn ? 'enabled' : 'disabled' } } : { enable_thinking: isOn }
  return { ...toggle, ...(vendorEffort !== undefined && { reasoning_effort: vendorEffort }), ...rest }
}

function adaptWhileThinking(body: Json, { thinksByDefault, drop = [], needsReasoningBack }: ThinkingRules): Json {
  const type = recordOf(body.thinking).type
  const isThinking =
    type === 'enabled' ||
    (type === undefined && thinksByDefault !== undefined && new RegExp(thinksByDefault).test(wordOf(body.model)))
  if (!isThinking) return body
  const plain = withoutFields(body, drop)
  return needsReasoningBack ? withThoughts(plain) : plain
}

/**
 * Adds empty reasoning to messages that have tool calls but no reasoning. The vendor requires the field, but accepts an
 * empty text.
 */
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
