import { isRecord } from '../../../../core/records.ts'
import type { Body } from '../../dialects/dialect.ts'
import { arrayOf, defined, type Json, numberOf, objectsOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/**
 * Returns method and body of a request: `embedContent` for one text, otherwise `batchEmbedContents`.
 * https://ai.google.dev/api/embeddings
 */
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

/** Converts the reply of either method to OpenAI's format. Gemini reports no usage. */
export function geminiEmbeddingsReply(reply: Json, { model, body }: { model: string; body: Body }): Json {
  const embeddings = isRecord(reply.embedding) ? [reply.embedding] : objectsOf(reply.embeddings)
  return openAiEmbeddings(
    embeddings.map(({ values }) => arrayOf(values).map((value) => numberOf(value) ?? 0)),
    { model, encoding: body.encoding_format },
  )
}
