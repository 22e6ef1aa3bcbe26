import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf, type Json } from '../json.ts'

/**
 * Returns the `input` of an embeddings request as texts. Throws REQUEST_MALFORMED for an empty list, for more than
 * `max` texts, and for token arrays, which only models with OpenAI's tokenizer can read.
 */
export function readEmbeddingTexts({ input }: Body, { max }: { max?: number } = {}): string[] {
  if (typeof input === 'string') return [input]
  const texts = arrayOf(input)
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    refuse('input must be a string or a non-empty array of strings; this upstream does not support token ids')
  }
  if (max !== undefined && texts.length > max) {
    refuse(`input: this model takes up to ${max} texts in one request, not ${texts.length}; send several requests`)
  }
  return texts as string[]
}

/**
 * Returns an embeddings reply in OpenAI's format. If `encoding` is `base64`, as OpenAI's clients request by default,
 * each vector is a base64 text. Without `promptTokens` (absent or 0), the reply has no `usage`.
 */
export function toOpenAiEmbeddings(
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

/** Encodes a vector as base64 of 32-bit little-endian floats. */
export function vectorAsBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT)
  return bytes.toString('base64')
}
