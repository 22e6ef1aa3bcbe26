import { isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, defined, type Json } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'
import { documentText, rerankReply } from '../rerank.ts'

export const RERANK_PATH = '/api/v1/services/rerank/text-rerank/text-rerank'

/**
 * Returns the body of a rerank request. DashScope need not return the documents, because `rerankReply` adds them from
 * the request. https://help.aliyun.com/zh/model-studio/text-rerank-api
 */
export function aliRerankBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
  // A document without a text is an image or a video, which multimodal models read.
  const documents = arrayOf(body.documents).map((document) =>
    isRecord(document) && typeof document.text !== 'string' ? document : documentText(document),
  )
  return {
    model,
    input: { query: body.query, documents },
    parameters: defined({ top_n: body.top_n ?? undefined, return_documents: false }),
  }
}

export function aliRerankReply(reply: Json, ask: Pick<ProviderRequest, 'body' | 'requestedModel'>): Json {
  return rerankReply({ id: reply.request_id, results: recordOf(reply.output).results, usage: reply.usage }, ask)
}
