import { defined } from '../../../../core/records.ts'
import { type Json, numeric, objectsOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import { field } from './fields.ts'
import { textOfContent } from './requests.ts'

/** Converts the body of a Gemini request to OpenAI's format, and OpenAI's reply to Gemini's format. */
export interface Translation {
  request(body: Body): Json
  reply(body: Body): Json
}

/**
 * Translates `embedContent`, which returns one vector for one text.
 * https://ai.google.dev/api/embeddings#method:-models.embedcontent
 */
export function embedContent(model: string): Translation {
  return {
    request: (body) => embeddingsBody(model, [body]),
    reply: (body) => ({ embedding: { values: vectorsOf(body)[0] ?? [] } }),
  }
}

/** Translates `batchEmbedContents`, which SDKs also use for a single text. */
export function batchEmbedContents(model: string): Translation {
  return {
    request: (body) => embeddingsBody(model, objectsOf(body.requests)),
    reply: (body) => ({ embeddings: vectorsOf(body).map((values) => ({ values })) }),
  }
}

function embeddingsBody(model: string, requests: readonly Body[]): Json {
  const [first] = requests
  if (!first) return refuse('field requests is required')
  return defined({
    model,
    input: requests.map(
      (request, at) => textOfContent(request.content) || refuse(`requests[${at}].content has no text`),
    ),
    // Clients of this API expect vectors as numbers, not as base64.
    encoding_format: 'float',
    dimensions: field(first, 'outputDimensionality'),
    task_type: field(first, 'taskType'),
    title: first.title,
  })
}

function vectorsOf({ data }: Body): unknown[] {
  const entries = objectsOf(data)
  const isIndexed = entries.every(({ index }) => typeof index === 'number')
  const sortedEntries = isIndexed ? [...entries].sort((a, b) => numeric(a.index) - numeric(b.index)) : entries
  return sortedEntries.map(({ embedding }) => embedding)
}
