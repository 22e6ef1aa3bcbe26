import { isRecord } from '../../../../core/records.ts'
import { type Json, objectsOf } from '../../json.ts'
import { vectorAsBase64 } from '../embedding-vectors.ts'

/**
 * Converts vectors to the requested encoding, and adds missing indexes and prompt tokens. Returns the same object if
 * nothing changes. https://platform.openai.com/docs/api-reference/embeddings
 *
 * By default, OpenAI's Node SDK requests base64 and decodes each vector without a check, so it misreads numbers.
 */
export function toRequestedEncoding(reply: Json, body: Readonly<Json>): Json {
  const wantsBase64 = body.encoding_format === 'base64'
  const items = objectsOf(reply.data)
  const data = items.map((item, index) => withEncoding(item, { index, wantsBase64 }))
  const isDataUnchanged = data.every((item, at) => item === items[at])
  const usage = isRecord(reply.usage) ? withPromptTokens(reply.usage) : reply.usage
  if (isDataUnchanged && usage === reply.usage) return reply
  return { ...reply, ...(!isDataUnchanged && { data }), ...(usage !== reply.usage && { usage }) }
}

function withEncoding(item: Json, { index, wantsBase64 }: { index: number; wantsBase64: boolean }): Json {
  const { embedding } = item
  const indexedItem = typeof item.index === 'number' ? item : { ...item, index }
  if (wantsBase64 && Array.isArray(embedding))
    return { ...indexedItem, embedding: vectorAsBase64(embedding.map(Number)) }
  if (!wantsBase64 && typeof embedding === 'string') return { ...indexedItem, embedding: fromBase64(embedding) }
  return indexedItem
}

/** Adds missing prompt tokens. Some upstreams report only the total, which is the same number. */
function withPromptTokens(usage: Json): Json {
  return usage.prompt_tokens === undefined && typeof usage.total_tokens === 'number'
    ? { ...usage, prompt_tokens: usage.total_tokens }
    : usage
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  const size = Float32Array.BYTES_PER_ELEMENT
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => bytes.readFloatLE(at * size))
}
