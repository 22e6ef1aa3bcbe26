import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, countOf, defined, type Json, numberOf, objectOf, objectsOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/**
 * Requests of `predict` for the texts of an embeddings request: one for all, except for Gemini's own embedding models, which
 * take one text at a time. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
export function embeddingsRequests(body: Body, model: string): [first: Json, ...others: Json[]] {
  const instances = embeddingTexts(body).map((content) =>
    defined({ content, task_type: body.task_type, title: body.title }),
  )
  const parameters = defined({ outputDimensionality: body.dimensions, autoTruncate: body.auto_truncate })
  const request = (some: Json[]): Json => ({ instances: some, ...(Object.keys(parameters).length && { parameters }) })
  if (!/^gemini-embedding/.test(model)) return [request(instances)]
  const [first = request([]), ...others] = instances.map((instance) => request([instance]))
  return [first, ...others]
}

/** The vectors in OpenAI's shape, with the tokens that Vertex AI has counted. */
export function embeddingsReply(reply: Json, { model, asked }: { model: string; asked: Body }): Json {
  const found = objectsOf(reply.predictions).map(({ embeddings }) => objectOf(embeddings))
  const promptTokens = found.reduce((sum, { statistics }) => sum + countOf(objectOf(statistics).token_count), 0)
  return openAiEmbeddings(
    found.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: asked.encoding_format, promptTokens },
  )
}
