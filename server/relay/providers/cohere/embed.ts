import { isRecord, recordOf } from '../../../../core/records.ts'
import { refuse } from '../../dialects/refuse.ts'
import { arrayOf, countOf, defined, type Json, textOf } from '../../json.ts'
import { openAiEmbeddings } from '../embedding-vectors.ts'
import type { ProviderRequest } from '../provider.ts'

const DEFAULT_INPUT_TYPE = 'search_document'

/** Converts OpenAI's embeddings request to Embed v2. Throws REQUEST_MALFORMED. https://docs.cohere.com/reference/embed */
export function cohereEmbedBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
  const { input, input_type, dimensions, truncate } = body
  const items = Array.isArray(input) ? input : [input]
  const images = items.flatMap((item) => (isRecord(item) ? (textOf(item.image) ?? []) : []))
  const texts = items.flatMap((item) => (typeof item === 'string' ? item : (textOf(recordOf(item).text) ?? [])))
  if (images.length + texts.length !== items.length) {
    refuse('input must be strings, or objects with a text or an image: this upstream does not support token ids')
  }
  if (images.length > 0 && texts.length > 0) refuse('input must be texts or images, not both')
  return defined({
    model,
    texts: texts.length ? texts : undefined,
    images: images.length ? images : undefined,
    input_type: images.length ? 'image' : (input_type ?? DEFAULT_INPUT_TYPE),
    embedding_types: ['float'],
    output_dimension: dimensions ?? undefined,
    truncate: truncate ?? undefined,
  })
}

/** Converts vectors to OpenAI's format, as floats or base64. */
export function cohereEmbedReply(
  reply: Json,
  { body, requestedModel }: Pick<ProviderRequest, 'body' | 'requestedModel'>,
): Json {
  // API version 1 returns the vectors as a plain list.
  const vectors = Array.isArray(reply.embeddings) ? reply.embeddings : arrayOf(recordOf(reply.embeddings).float)
  const { billed_units, tokens } = recordOf(reply.meta)
  return openAiEmbeddings(vectors as number[][], {
    model: requestedModel,
    encoding: body.encoding_format,
    promptTokens: countOf(recordOf(billed_units).input_tokens) || countOf(recordOf(tokens).input_tokens),
  })
}
