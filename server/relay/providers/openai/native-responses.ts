import { decodeSignatures, isOwnThought, summaryIn } from '../../conversation/envelope.ts'
import { arrayOf, isObject, type Json } from '../../json.ts'
import { openReasoning } from './responses-reasoning.ts'

/**
 * Removes reasoning that the gateway translated from another vendor: the upstream does not know its ids and would reject the
 * request. Restores reasoning of Responses upstreams. Converts the gateway's compactions to text. Returns the same object if
 * nothing changes.
 */
export function withoutForeignThoughts<T extends Readonly<Json>>(body: T): T {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isFromGateway)) return body
  return { ...body, input: arrayOf(input).flatMap((item) => (isFromGateway(item) ? restoredItems(item) : [item])) }
}

function isFromGateway(item: unknown): item is Json {
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
