import { isOwnThought, unsealed } from '../../conversation/envelope.ts'
import { arrayOf, isObject, type Json } from '../../json.ts'
import { openReasoning } from './responses-reasoning.ts'

/**
 * A client's Responses request without the thoughts that were translated from another vendor's: an upstream looks the ids
 * of such items up, finds nothing, and refuses the request. Thoughts of this family become their own again. The same
 * object where nothing changes, so that its bytes can pass.
 */
export function withoutForeignThoughts<T extends Readonly<Json>>(body: T): T {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isForeign)) return body
  return { ...body, input: arrayOf(input).flatMap((item) => (isForeign(item) ? ownAgain(item) : [item])) }
}

function isForeign(item: unknown): item is Json {
  return isObject(item) && item.type === 'reasoning' && isOwnThought(item)
}

function ownAgain({ summary, encrypted_content }: Json): Json[] {
  const own = openReasoning(unsealed(encrypted_content)?.signature)
  return own ? [{ type: 'reasoning', id: own.id, summary, encrypted_content: own.encrypted }] : []
}
