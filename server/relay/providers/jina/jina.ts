import { isRecord } from '../../../../core/records.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { joinAddress } from '../openai/address.ts'
import { toRequestedEncoding } from '../openai/embeddings.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderRequest } from '../provider.ts'
import { rerankReply } from '../rerank.ts'

/** Jina: https://api.jina.ai/redoc */
export const jina: Provider = {
  failure: readFailure,
  plan(ask, { key, baseUrl }): Plan {
    const { path, body, convert } = planOperation(ask)
    return {
      request: {
        url: joinAddress(baseUrl, path),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: `Bearer ${key.trim()}`,
        },
        body: JSON.stringify(body),
      },
      convert,
    }
  },
}

function planOperation(ask: ProviderRequest): { path: string; body: Json; convert: (reply: Json) => Json } {
  if (ask.operation === 'rerank') {
    // `rerankReply` adds the documents from the request.
    const body = { ...ask.body, model: ask.model, return_documents: false }
    return { path: '/v1/rerank', body, convert: (reply) => rerankReply(reply, ask) }
  }
  if (ask.operation === 'embeddings') {
    return {
      path: '/v1/embeddings',
      body: embeddingsBody(ask),
      convert: (reply) => toRequestedEncoding({ ...reply, model: ask.requestedModel }, ask.body),
    }
  }
  return unsupported(`Jina channels do not serve ${ask.operation}`)
}

/** Returns the body without `encoding_format`, which Jina does not support. Throws REQUEST_MALFORMED for token ids. */
function embeddingsBody({ body, model }: ProviderRequest): Json {
  const { input, encoding_format: _, ...rest } = body
  const items = Array.isArray(input) ? input : [input]
  if (!items.every((item) => typeof item === 'string' || isRecord(item))) {
    refuse('input must be strings, or objects with a text or an image: this upstream does not support token ids')
  }
  return { ...rest, model, input: items }
}
