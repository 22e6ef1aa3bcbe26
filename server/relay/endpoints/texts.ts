import { promptOfInput } from '../counting/prompt.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf } from '../json.ts'
import { allowText, type Endpoint, requireField } from './endpoint.ts'
import { promptUsage } from './reported-usage.ts'

export const embeddings: Endpoint = {
  multipart: false,
  check: ({ body }) => requireField(body, 'input'),
  prompt: ({ body }) => promptOfInput(body.input),
  streams: () => false,
  completionTokens: () => 0,
  reported: promptUsage,
}

/** Detection of harmful texts. Upstreams report no usage, so the prompt is counted locally. */
export const moderations: Endpoint = { ...embeddings, defaultModel: 'omni-moderation-latest' }

/** Ranking of documents by their relevance to a query. */
export const rerank: Endpoint = {
  ...embeddings,
  check({ body }) {
    requireField(body, 'query')
    allowText(body, 'query')
    requireField(body, 'documents')
    if (!Array.isArray(body.documents)) refuse('documents must be a list')
  },
  prompt({ body }) {
    const documents = promptOfInput(arrayOf(body.documents))
    return { ...documents, texts: [body.query as string, ...documents.texts] }
  },
}
