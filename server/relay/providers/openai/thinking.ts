import type { ThinkingRules } from '../../../../core/channels/quirks.ts'
import { isObject, type Json, objectOf, objectsOf, wordOf } from '../../json.ts'
import { without } from './fields.ts'

/** `reasoning_effort` in the vendor's words. What the client said in those words itself stands. */
export function withThinking(body: Json, rules: ThinkingRules): Json {
  return whileThinking(inItsWords(body, rules), rules)
}

function inItsWords(body: Json, { as, efforts = {} }: ThinkingRules): Json {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return body
  const { reasoning_effort: _, ...rest } = body
  const isOn = effort !== 'none'
  const word = efforts[effort]
  if (as === 'reasoning') return { reasoning: isOn ? { effort: word ?? effort } : { enabled: false }, ...rest }
  const told = as === 'type' ? { thinking: { type: isOn ? 'enabled' : 'disabled' } } : { enable_thinking: isOn }
  return { ...told, ...(word !== undefined && { reasoning_effort: word }), ...rest }
}

function whileThinking(body: Json, { unasked, drop = [], recalls }: ThinkingRules): Json {
  const type = objectOf(body.thinking).type
  const thinks =
    type === 'enabled' || (type === undefined && unasked !== undefined && new RegExp(unasked).test(wordOf(body.model)))
  if (!thinks) return body
  const plain = without(body, drop)
  return recalls ? withThoughts(plain) : plain
}

/** Clients that lost the thoughts of a tool loop send it without: an empty thought is taken, none is an error. */
function withThoughts(body: Json): Json {
  const isBare = (message: unknown) =>
    isObject(message) && objectsOf(message.tool_calls).length > 0 && typeof message.reasoning_content !== 'string'
  const { messages } = body
  if (!Array.isArray(messages) || !messages.some(isBare)) return body
  return {
    ...body,
    messages: messages.map((message) => (isBare(message) ? { ...message, reasoning_content: '' } : message)),
  }
}
