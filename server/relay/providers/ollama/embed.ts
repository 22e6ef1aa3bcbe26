import { arrayOf, countOf, defined, type Json, wordOf } from '../../json.ts'
import { embeddingTexts, openAiEmbeddings } from '../embedding-vectors.ts'

/** An embeddings request in Ollama's format: https://github.com/ollama/ollama/blob/main/docs/api.md. Throws REQUEST_MALFORMED. */
export function embedBody(body: Readonly<Json>, model: string): Json {
  const { dimensions, truncate, options, keep_alive } = body
  return defined({ model, input: embeddingTexts(body), dimensions, truncate, options, keep_alive })
}

/** Its answer in OpenAI's shape: one item for each input, in their order. */
export function embeddingsOf({ embeddings, model, prompt_eval_count }: Json, asked: Readonly<Json>): Json {
  const vectors = arrayOf(embeddings).map((vector) => arrayOf(vector).map(Number))
  return openAiEmbeddings(vectors, {
    model: wordOf(model ?? asked.model),
    encoding: asked.encoding_format,
    promptTokens: countOf(prompt_eval_count),
  })
}
