import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, defined, isObject, type Json, numberOf, objectsOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/** One text goes to `embedContent`, several to `batchEmbedContents`: https://ai.google.dev/api/embeddings */
export function embeddingsRequest(body: Body, model: string): { method: string; body: Json } {
  const requests = embeddingTexts(body).map((text) =>
    defined({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      taskType: body.task_type,
      title: body.title,
      outputDimensionality: body.dimensions,
    }),
  )
  const [only] = requests
  return only && requests.length === 1
    ? { method: 'embedContent', body: only }
    : { method: 'batchEmbedContents', body: { requests } }
}

/** Either reply in OpenAI's shape. Gemini does not tell what it counted. */
export function embeddingsReply(reply: Json, { model, asked }: { model: string; asked: Body }): Json {
  const found = isObject(reply.embedding) ? [reply.embedding] : objectsOf(reply.embeddings)
  return openAiEmbeddings(
    found.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: asked.encoding_format },
  )
}
