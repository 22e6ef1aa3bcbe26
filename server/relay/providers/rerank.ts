import { countOf, defined, isObject, type Json, numberOf, objectOf, objectsOf, textOf, wordOf } from '../json.ts'
import type { Ask } from './provider.ts'

/**
 * Any vendor's answer to a rerank request in the one shape that clients read: results by score, `index` as the request
 * counts, at most `top_n`, `document` where it was asked for, taken from the request. Usage where any was reported, in
 * whatever place; units of searches are no tokens. https://jina.ai/reranker/
 */
export function rerankReply(reply: Json, { body, requestedModel }: Pick<Ask, 'body' | 'requestedModel'>): Json {
  const documents = Array.isArray(body.documents) ? body.documents : []
  const most = numberOf(body.top_n) ?? Number.POSITIVE_INFINITY
  const results = objectsOf(reply.results)
    .map(({ index, relevance_score, score }) => ({
      index: countOf(index),
      relevance_score: numberOf(relevance_score) ?? numberOf(score) ?? 0,
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, most)
    .map((result) =>
      body.return_documents === true ? { ...result, document: shown(documents[result.index]) } : result,
    )
  return defined({ id: textOf(reply.id), model: requestedModel, results, usage: usageOf(reply) })
}

function shown(document: unknown): unknown {
  return typeof document === 'string' ? { text: document } : document
}

function usageOf({ usage, meta }: Json): Json | undefined {
  const { tokens, billed_units } = objectOf(meta)
  for (const reported of [usage, tokens, billed_units]) {
    const { prompt_tokens, input_tokens, completion_tokens, output_tokens, total_tokens } = objectOf(reported)
    const completion = countOf(completion_tokens ?? output_tokens)
    const prompt = countOf(prompt_tokens ?? input_tokens) || countOf(total_tokens) - completion
    if (prompt <= 0) continue
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  }
  return undefined
}

/** A document as the text that models for texts read; of an object without one, all of it. */
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  if (!isObject(document)) return wordOf(document)
  return textOf(document.text) ?? JSON.stringify(document)
}
