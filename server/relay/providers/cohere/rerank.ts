import { arrayOf, defined, type Json } from '../../json.ts'
import type { Ask } from '../provider.ts'
import { documentText } from '../rerank.ts'

/** The oldest models are known to the first version alone. */
export function cohereRerankPath(model: string): string {
  return model.endsWith('-v2.0') ? '/v1/rerank' : '/v2/rerank'
}

/**
 * Documents go as texts, which is all that both versions take; they are given back from the request. Without `top_n` all
 * are ranked. https://docs.cohere.com/reference/rerank
 */
export function cohereRerankBody({ body, model }: Pick<Ask, 'body' | 'model'>): Json {
  const { query, documents, top_n, max_tokens_per_doc, max_chunks_per_doc } = body
  const isFirst = cohereRerankPath(model).startsWith('/v1')
  return defined({
    model,
    query,
    documents: arrayOf(documents).map(documentText),
    top_n: top_n ?? undefined,
    max_tokens_per_doc: isFirst ? undefined : (max_tokens_per_doc ?? undefined),
    max_chunks_per_doc: isFirst ? (max_chunks_per_doc ?? undefined) : undefined,
  })
}
