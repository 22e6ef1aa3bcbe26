import { defined, isRecord } from '../../../core/records.ts'
import { promptUsage } from '../endpoints/reported-usage.ts'
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

function usageOf(reply: Json): Json | undefined {
  const usage = promptUsage(reply)
  if (!usage) return undefined
  const { promptTokens: prompt, completionTokens: completion } = usage
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** Returns a document as text, for models that accept only texts. An object without `text` becomes JSON. */
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  if (!isRecord(document)) return wordOf(document)
  return textOf(document.text) ?? JSON.stringify(document)
}
