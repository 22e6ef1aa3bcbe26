import type { CallPart } from './conversation.ts'
import { argumentsOf } from './turns.ts'

/**
 * Returns the arguments of a call as an object, for formats that accept only objects. The free text of a custom tool
 * becomes the property `input`. Invalid JSON becomes the property `arguments`, so that the model can see what it wrote.
 */
export function argumentsObject(call: Pick<CallPart, 'arguments' | 'custom'>): Record<string, unknown> {
  if (call.custom) return { input: call.arguments }
  return argumentsOf(call) ?? { arguments: call.arguments }
}
