import type { CallPart } from './conversation.ts'
import { argumentsOf } from './turns.ts'

/**
 * The arguments of a call for formats that take nothing but an object. Free text stands under `input`; what should have
 * been JSON and is none stays readable under `arguments`, so that whoever made the call can see what it wrote.
 */
export function argumentsObject(call: Pick<CallPart, 'arguments' | 'custom'>): Record<string, unknown> {
  if (call.custom) return { input: call.arguments }
  return argumentsOf(call) ?? { arguments: call.arguments }
}
