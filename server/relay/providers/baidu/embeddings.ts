import type { Body } from '../../dialects/dialect.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined, type Json } from '../../json.ts'
import { embeddingTexts } from '../embedding-vectors.ts'

const INPUTS_MAX = 16

/** Converts OpenAI's embeddings request. Throws REQUEST_MALFORMED for anything but up to 16 texts. */
export function baiduEmbeddingsBody(body: Body): Json {
  const input = embeddingTexts(body)
  if (input.length > INPUTS_MAX) {
    refuse(
      `input: this model takes up to ${INPUTS_MAX} texts in one request, not ${input.length}; send several requests`,
    )
  }
  return defined({ input, user_id: typeof body.user === 'string' ? body.user : undefined })
}
