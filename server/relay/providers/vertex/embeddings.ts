import { defined, recordOf } from '../../../../core/records.ts'
import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, countOf, type Json, numberOf, objectsOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/**
 * Returns the bodies of the `predict` requests for an embeddings request: one per text for Gemini's embedding models,
 * which accept only one text, otherwise one for all texts.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
export function embeddingsRequests(body: Body, model: string): [first: Json, ...others: Json[]] {
  const instances = embeddingTexts(body).map((content) =>
    defined({ content, task_type: body.task_type, title: body.title }),
  )
  const parameters = defined({ outputDimensionality: body.dimensions, autoTruncate: body.auto_truncate })
  const request = (texts: Json[]): Json => ({ instances: texts, ...(Object.keys(parameters).length && { parameters }) })
  if (!/^gemini-embedding/.test(model)) return [request(instances)]
  const [first = request([]), ...others] = instances.map((instance) => request([instance]))
  return [first, ...others]
}

/** Converts vectors and Vertex AI's token counts to OpenAI's format. */
export function vertexEmbeddingsReply(reply: Json, { model, body }: { model: string; body: Body }): Json {
  const predictions = objectsOf(reply.predictions).map(({ embeddings }) => recordOf(embeddings))
  const promptTokens = predictions.reduce((sum, { statistics }) => sum + countOf(recordOf(statistics).token_count), 0)
  return openAiEmbeddings(
    predictions.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: body.encoding_format, promptTokens },
  )
}
