import { arrayOf, defined, type Json } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'
import { documentText } from '../rerank.ts'

/** Only version 1 serves the oldest models. */
export function cohereRerankPath(model: string): string {
  return model.endsWith('-v2.0') ? '/v1/rerank' : '/v2/rerank'
}

/**
 * Sends documents as text, which both versions accept; `rerankReply` adds the originals. Without `top_n` all documents are
 * ranked. https://docs.cohere.com/reference/rerank
 */
export function cohereRerankBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
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
