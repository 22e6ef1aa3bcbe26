import { isRecord } from '../../../../core/records.ts'
import { decodeSignatures, isGatewayThought, summaryIn } from '../../conversation/envelope.ts'
import { arrayOf, type Json } from '../../json.ts'
import { decodeReasoning } from './responses-reasoning.ts'

/**
 * Converts items that the gateway created to items that the upstream accepts. Removes reasoning of other vendors.
 * Restores reasoning of Responses upstreams. Converts compactions to text. Returns the same object if nothing changes.
 */
export function withoutForeignThoughts<T extends Readonly<Json>>(body: T): T {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isFromGateway)) return body
  return { ...body, input: arrayOf(input).flatMap((item) => (isFromGateway(item) ? restoredItems(item) : [item])) }
}

function isFromGateway(item: unknown): item is Json {
  if (!isRecord(item)) return false
  return (
    (item.type === 'reasoning' && isGatewayThought(item)) ||
    (item.type === 'compaction' && summaryIn(item) !== undefined)
  )
}

function restoredItems(item: Json): Json[] {
  const { summary, encrypted_content } = item
  const text = item.type === 'compaction' ? summaryIn(item) : undefined
  if (text !== undefined) return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
  const reasoning = decodeReasoning(decodeSignatures(encrypted_content)?.signature)
  return reasoning ? [{ type: 'reasoning', id: reasoning.id, summary, encrypted_content: reasoning.encrypted }] : []
}
