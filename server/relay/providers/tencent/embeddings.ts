import type { Body } from '../../dialects/dialect.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { embeddingTexts } from '../embedding-vectors.ts'

const INPUTS_MAX = 200

/**
 * Converts OpenAI's embeddings request to GetEmbedding, which has a single model.
 * https://cloud.tencent.com/document/api/1729/102832
 *
 * Throws REQUEST_MALFORMED for token ids, an empty list, and more than 200 texts.
 */
export function hunyuanEmbeddingsBody(body: Body): Json {
  const texts = embeddingTexts(body)
  if (texts.length > INPUTS_MAX) {
    refuse(
      `input: this model takes up to ${INPUTS_MAX} texts in one request, not ${texts.length}; send several requests`,
    )
  }
  return typeof body.input === 'string' ? { Input: body.input } : { InputList: texts }
}
