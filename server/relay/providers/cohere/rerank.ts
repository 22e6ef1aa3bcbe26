import { arrayOf, defined, type Json } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'
import { documentText } from '../rerank.ts'

/** Returns the API path for a model. The oldest models exist only in version 1. */
export function cohereRerankPath(model: string): string {
  return model.endsWith('-v2.0') ? '/v1/rerank' : '/v2/rerank'
}

/**
 * Returns the body of a rerank request. Documents are sent as text, which both API versions accept. `rerankReply` then
 * adds the original documents. Without `top_n`, Cohere returns all documents. https://docs.cohere.com/reference/rerank
 */
export function cohereRerankBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
  const { query, documents, top_n, max_tokens_per_doc, max_chunks_per_doc } = body
  const isVersion1 = cohereRerankPath(model).startsWith('/v1')
  return defined({
    model,
    query,
    documents: arrayOf(documents).map(documentText),
    top_n: top_n ?? undefined,
    max_tokens_per_doc: isVersion1 ? undefined : (max_tokens_per_doc ?? undefined),
    max_chunks_per_doc: isVersion1 ? (max_chunks_per_doc ?? undefined) : undefined,
  })
}
