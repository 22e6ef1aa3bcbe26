import { defined, isRecord, recordOf } from '../../../core/records.ts'
import { arrayOf, countOf, type Json, numberOf, objectsOf, textOf, wordOf } from '../json.ts'
import type { ProviderRequest } from './provider.ts'

/**
 * Converts any vendor's rerank reply to Jina's format (https://jina.ai/reranker/). Sorts results by descending score,
 * and returns at most the request's `top_n`. Adds the request's documents if its `return_documents` is true.
 */
export function rerankReply(
  reply: Json,
  { body, requestedModel }: Pick<ProviderRequest, 'body' | 'requestedModel'>,
): Json {
  const documents = arrayOf(body.documents)
  const resultsMax = numberOf(body.top_n) ?? Number.POSITIVE_INFINITY
  const results = objectsOf(reply.results)
    .map(({ index, relevance_score, score }) => ({
      index: countOf(index),
      relevance_score: numberOf(relevance_score) ?? numberOf(score) ?? 0,
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, resultsMax)
    .map((result) =>
      body.return_documents === true ? { ...result, document: documentObject(documents[result.index]) } : result,
    )
  return defined({ id: textOf(reply.id), model: requestedModel, results, usage: usageOf(reply) })
}

function documentObject(document: unknown): unknown {
  return typeof document === 'string' ? { text: document } : document
}

/** Returns the first usage that the reply reports in tokens. Search units are not tokens. */
function usageOf({ usage, meta }: Json): Json | undefined {
  const { tokens, billed_units } = recordOf(meta)
  for (const reported of [usage, tokens, billed_units]) {
    const { prompt_tokens, input_tokens, completion_tokens, output_tokens, total_tokens } = recordOf(reported)
    const completion = countOf(completion_tokens ?? output_tokens)
    const prompt = countOf(prompt_tokens ?? input_tokens) || countOf(total_tokens) - completion
    if (prompt <= 0) continue
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  }
  return undefined
}

/** Returns a document as text, for models that accept only texts. An object without `text` becomes JSON. */
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  if (!isRecord(document)) return wordOf(document)
  return textOf(document.text) ?? JSON.stringify(document)
}
