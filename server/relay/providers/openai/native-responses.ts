import { decodeSignatures, isOwnThought, summaryIn } from '../../conversation/envelope.ts'
import { arrayOf, isObject, type Json } from '../../json.ts'
import { openReasoning } from './responses-reasoning.ts'

/**
 * Removes reasoning that the gateway translated from another vendor: the upstream would not find its ids, and reject the
 * request. Restores reasoning of Responses upstreams, and turns the gateway's compactions into text. Returns the same object
 * if nothing changes.
 */
export function withoutForeignThoughts<T extends Readonly<Json>>(body: T): T {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isForeign)) return body
  return { ...body, input: arrayOf(input).flatMap((item) => (isForeign(item) ? restoredItems(item) : [item])) }
}

function isForeign(item: unknown): item is Json {
  if (!isObject(item)) return false
  return (
    (item.type === 'reasoning' && isOwnThought(item)) || (item.type === 'compaction' && summaryIn(item) !== undefined)
  )
}

function restoredItems(item: Json): Json[] {
  const { summary, encrypted_content } = item
  const text = item.type === 'compaction' ? summaryIn(item) : undefined
  if (text !== undefined) return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
  const reasoning = openReasoning(decodeSignatures(encrypted_content)?.signature)
  return reasoning ? [{ type: 'reasoning', id: reasoning.id, summary, encrypted_content: reasoning.encrypted }] : []
}
