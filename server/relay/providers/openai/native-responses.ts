import { isOwnThought, summaryIn, unsealed } from '../../conversation/envelope.ts'
import { arrayOf, isObject, type Json } from '../../json.ts'
import { openReasoning } from './responses-reasoning.ts'

/**
 * A client's Responses request without the thoughts that were translated from another vendor's: an upstream looks the ids
 * of such items up, finds nothing, and refuses the request. Thoughts of this family become their own again, and conversations that
 * were compacted here a text. The same
 * object where nothing changes, so that its bytes can pass.
 */
export function withoutForeignThoughts<T extends Readonly<Json>>(body: T): T {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isForeign)) return body
  return { ...body, input: arrayOf(input).flatMap((item) => (isForeign(item) ? ownAgain(item) : [item])) }
}

function isForeign(item: unknown): item is Json {
  if (!isObject(item)) return false
  return (
    (item.type === 'reasoning' && isOwnThought(item)) || (item.type === 'compaction' && summaryIn(item) !== undefined)
  )
}

function ownAgain(item: Json): Json[] {
  const { summary, encrypted_content } = item
  const text = item.type === 'compaction' ? summaryIn(item) : undefined
  if (text !== undefined) return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
  const own = openReasoning(unsealed(encrypted_content)?.signature)
  return own ? [{ type: 'reasoning', id: own.id, summary, encrypted_content: own.encrypted }] : []
}
