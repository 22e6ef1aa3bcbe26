import { isObject, type Json, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

/** The `finish_reason` of a reply that calls a function in the way of 2023. */
export const LEGACY_FINISH = 'function_call'

/**
 * Whether a request declares `functions`, so that its client reads a call in `function_call` and nowhere else:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-functions
 */
export function usesLegacyFunctions({ functions, function_call, tools }: Body): boolean {
  if (Array.isArray(tools) && tools.length > 0) return false
  return (Array.isArray(functions) && functions.length > 0) || isObject(function_call)
}

/**
 * Gives legacy calls and their results ids, in the order of messages: a call has none, and answers are the next message. The same
 * conversation has the same ids each time, and two calls of one function have two.
 */
export function createLegacyIds(): (message: Json) => Json {
  let calls = 0
  let id = ''
  return (message) => {
    if (isObject(message.function_call)) {
      calls += 1
      const name = wordOf(message.function_call.name)
      id = calls === 1 ? name : `${name}_${calls}`
      return { ...message, function_call: { ...message.function_call, id } }
    }
    if (message.role !== 'function' || message.tool_call_id !== undefined) return message
    return { ...message, tool_call_id: id || wordOf(message.name) }
  }
}
