import type { CallPart } from './conversation.ts'
import { argumentsOf } from './turns.ts'

/**
 * Returns the arguments of a call for formats that accept only an object. Free text is under `input`; invalid JSON is under
 * `arguments`, so that the model can see what it wrote.
 */
export function argumentsObject(call: Pick<CallPart, 'arguments' | 'custom'>): Record<string, unknown> {
  if (call.custom) return { input: call.arguments }
  return argumentsOf(call) ?? { arguments: call.arguments }
}
