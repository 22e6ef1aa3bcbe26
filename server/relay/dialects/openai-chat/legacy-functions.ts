import { isRecord } from '../../../../core/records.ts'
import { type Json, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

/** The `finish_reason` of a legacy function call (API of 2023). */
export const LEGACY_FINISH_REASON = 'function_call'

/**
 * Whether a request uses legacy `functions` instead of `tools`. If so, the client expects calls in `function_call`:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-functions
 */
export function usesLegacyFunctions({ functions, function_call, tools }: Body): boolean {
  if (Array.isArray(tools) && tools.length > 0) return false
  return (Array.isArray(functions) && functions.length > 0) || isRecord(function_call)
}

/**
 * Returns a function that adds ids to legacy calls and results, which have no ids. Call the function with each message,
 * in order: a result gets the id of the preceding call. The ids are unique per call, and the same in each request of a
 * conversation.
 */
export function createLegacyIds(): (message: Json) => Json {
  let calls = 0
  let id = ''
  return (message) => {
    if (isRecord(message.function_call)) {
      calls += 1
      const name = wordOf(message.function_call.name)
      id = calls === 1 ? name : `${name}_${calls}`
      return { ...message, function_call: { ...message.function_call, id } }
    }
    if (message.role !== 'function' || message.tool_call_id !== undefined) return message
    return { ...message, tool_call_id: id || wordOf(message.name) }
  }
}
