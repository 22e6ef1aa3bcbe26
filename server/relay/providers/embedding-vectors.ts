import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf, type Json, objectsOf } from '../json.ts'

/** The `input` of an embeddings request as texts. Throws REQUEST_MALFORMED for tokens, which only OpenAI's models share. */
export function embeddingTexts({ input }: Body): string[] {
  if (typeof input === 'string') return [input]
  const texts = arrayOf(input)
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    refuse('input must be a text or an array of texts: this upstream takes no tokens')
  }
  return texts as string[]
}

/**
 * Vectors as OpenAI's embeddings reply, in their order. Official clients ask for base64 unless they are told otherwise, and
 * decode whatever comes: they get what they ask for. `promptTokens`: as reported; absent = nobody told.
 */
export function openAiEmbeddings(
  vectors: readonly (readonly number[])[],
  { model, encoding, promptTokens }: { model: string; encoding: unknown; promptTokens?: number | undefined },
): Json {
  return {
    object: 'list',
    model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? vectorAsBase64(vector) : vector,
    })),
    ...(promptTokens && { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  }
}

/** An embeddings reply in OpenAI's shape of an upstream that knows floats only, in the encoding that was asked for. */
export function withEncoding(reply: Json, encoding: unknown): Json {
  if (encoding !== 'base64') return reply
  const data = objectsOf(reply.data).map((item) =>
    Array.isArray(item.embedding) ? { ...item, embedding: vectorAsBase64(item.embedding as number[]) } : item,
  )
  return { ...reply, data }
}

/** 32-bit floats, lowest byte first. */
export function vectorAsBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT)
  return bytes.toString('base64')
}
