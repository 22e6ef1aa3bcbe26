import { arrayOf, countOf, defined, type Json, wordOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/** Converts an embeddings request to Ollama's format: https://github.com/ollama/ollama/blob/main/docs/api.md. Throws REQUEST_MALFORMED. */
export function embedBody(body: Readonly<Json>, model: string): Json {
  const { dimensions, truncate, options, keep_alive } = body
  return defined({ model, input: embeddingTexts(body), dimensions, truncate, options, keep_alive })
}

/** Converts the reply to OpenAI's shape: one item per input, in order. */
export function embeddingsOf({ embeddings, model, prompt_eval_count }: Json, requestBody: Readonly<Json>): Json {
  const vectors = arrayOf(embeddings).map((vector) => arrayOf(vector).map(Number))
  return openAiEmbeddings(vectors, {
    model: wordOf(model ?? requestBody.model),
    encoding: requestBody.encoding_format,
    promptTokens: countOf(prompt_eval_count),
  })
}
