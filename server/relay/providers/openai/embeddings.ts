import { type Json, objectOf, objectsOf } from '../../json.ts'
import { vectorAsBase64 } from '../embedding-vectors.ts'

/**
 * Vectors in the form that the client asked for: SDKs ask for base64, of 32-bit floats, lowest byte first, and upstreams
 * that ignore that answer numbers, which SDKs then read as bytes. Items get the index that some leave out. The same object
 * when all is well. https://platform.openai.com/docs/api-reference/embeddings
 */
export function asAsked(reply: Json, asked: Readonly<Json>): Json {
  const wantsBase64 = asked.encoding_format === 'base64'
  const items = objectsOf(reply.data)
  const data = items.map((item, index) => withForm(item, { index, wantsBase64 }))
  const usage = withPromptTokens(objectOf(reply.usage))
  if (usage === reply.usage && data.every((item, at) => item === items[at])) return reply
  return { ...reply, data, ...(reply.usage !== undefined && { usage }) }
}

function withForm(item: Json, { index, wantsBase64 }: { index: number; wantsBase64: boolean }): Json {
  const { embedding } = item
  const placed = typeof item.index === 'number' ? item : { ...item, index }
  if (wantsBase64 && Array.isArray(embedding)) return { ...placed, embedding: vectorAsBase64(embedding.map(Number)) }
  if (!wantsBase64 && typeof embedding === 'string') return { ...placed, embedding: fromBase64(embedding) }
  return placed
}

/** Some tell nothing but the total, which for a prompt alone is the same. */
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
