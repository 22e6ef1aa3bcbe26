import { GatewayError } from '../../../../core/errors.ts'
import { refuse } from '../../dialects/refuse.ts'
import { countOf, isObject, type Json, objectOf, objectsOf } from '../../json.ts'
import { withEncoding } from '../embedding-vectors.ts'
import { readFailure } from '../failure.ts'
import { joinAddress } from '../openai/address.ts'
import type { Ask, Plan, Provider } from '../provider.ts'
import { rerankReply } from '../rerank.ts'

/** Jina: https://api.jina.ai/redoc */
export const jina: Provider = {
  failure: readFailure,
  plan(ask, { key, baseUrl }): Plan {
    const { path, body, convert } = exchange(ask)
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

function exchange(ask: Ask): { path: string; body: Json; convert: (reply: Json) => Json } {
  if (ask.operation === 'rerank') {
    // Documents are given back from the request: there is no need to have them sent twice.
    const body = { ...ask.body, model: ask.model, return_documents: false }
    return { path: '/v1/rerank', body, convert: (reply) => rerankReply(reply, ask) }
  }
  if (ask.operation === 'embeddings') {
    return { path: '/v1/embeddings', body: embeddingsBody(ask), convert: (reply) => embeddingsReply(reply, ask) }
  }
  throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `Jina channels do not serve ${ask.operation}` })
}

/** Fields of Jina's own pass. What OpenAI calls `encoding_format` it does not know. */
function embeddingsBody({ body, model }: Ask): Json {
  const { input, encoding_format: _, ...rest } = body
  const items = Array.isArray(input) ? input : [input]
  if (!items.every((item) => typeof item === 'string' || isObject(item))) {
    refuse('input must be texts, or objects with a text or an image: this upstream takes no tokens')
  }
  return { ...rest, model, input: items }
}

function embeddingsReply(reply: Json, { body, requestedModel }: Ask): Json {
  const usage = objectOf(reply.usage)
  const total = countOf(usage.total_tokens)
  return withEncoding(
    {
      ...reply,
      model: requestedModel,
      data: objectsOf(reply.data),
      ...(total > 0 && { usage: { ...usage, prompt_tokens: countOf(usage.prompt_tokens) || total } }),
    },
    body.encoding_format,
  )
}
