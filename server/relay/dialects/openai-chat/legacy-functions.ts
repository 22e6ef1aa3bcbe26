import { isObject } from '../../json.ts'
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
