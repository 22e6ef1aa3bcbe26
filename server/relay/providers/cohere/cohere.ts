import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import { refuse } from '../../dialects/refuse.ts'
import { arrayOf, countOf, type Json, textOf } from '../../json.ts'
import { toOpenAiEmbeddings } from '../embedding-vectors.ts'
import { readFailure } from '../failure.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderRequest } from '../provider.ts'
import { documentText, rerankReply } from '../rerank.ts'
import { cohereChatBody } from './chat-body.ts'
import { cohereChatReader } from './chat-reader.ts'

/** Cohere: https://docs.cohere.com/reference/chat */
export const cohere: Provider = {
  failure: readFailure,
  plan(ask, channel): Plan {
    switch (ask.operation) {
      case 'chat': {
        const conversation = ask.conversation()
        const body = cohereChatBody(conversation, { model: ask.model, stream: ask.stream })
        return {
          request: postRequest(ask, channel, '/v2/chat', body),
          reader: withCustomCalls(cohereChatReader(), customToolsOf(conversation)),
        }
      }
      case 'rerank':
        return {
          request: postRequest(ask, channel, cohereRerankPath(ask.model), cohereRerankBody(ask)),
          convert: (reply) => rerankReply(reply, ask),
        }
      case 'embeddings':
        return {
          request: postRequest(ask, channel, '/v2/embed', cohereEmbedBody(ask)),
          convert: (reply) => cohereEmbedReply(reply, ask),
        }
      default:
        return unsupported(`Cohere channels do not serve ${ask.operation}`)
    }
  },
}

function postRequest(
  { stream }: ProviderRequest,
  { key, baseUrl }: LiveChannel,
  path: string,
  body: unknown,
): Plan['request'] {
  return {
    url: baseUrl.replace(/\/(v\d+\/?)?$/, '') + path,
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      authorization: `Bearer ${key.trim()}`,
    },
    body: JSON.stringify(body),
  }
}

const DEFAULT_INPUT_TYPE = 'search_document'

/** Converts an embeddings request to Embed v2. Throws REQUEST_MALFORMED. https://docs.cohere.com/reference/embed */
function cohereEmbedBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
  const { input, input_type, dimensions, truncate } = body
  const items = Array.isArray(input) ? input : [input]
  const images = items.flatMap((item) => (isRecord(item) ? (textOf(item.image) ?? []) : []))
  const texts = items.flatMap((item) => (typeof item === 'string' ? item : (textOf(recordOf(item).text) ?? [])))
  if (images.length + texts.length !== items.length) {
    refuse('input must be strings, or objects with a text or an image: this upstream does not support token ids')
  }
  if (images.length > 0 && texts.length > 0) refuse('input must be texts or images, not both')
  return defined({
    model,
    texts: texts.length ? texts : undefined,
    images: images.length ? images : undefined,
    input_type: images.length ? 'image' : (input_type ?? DEFAULT_INPUT_TYPE),
    embedding_types: ['float'],
    output_dimension: dimensions ?? undefined,
    truncate: truncate ?? undefined,
  })
}

/** Converts vectors to OpenAI's format, as floats or base64. */
function cohereEmbedReply(
  reply: Json,
  { body, requestedModel }: Pick<ProviderRequest, 'body' | 'requestedModel'>,
): Json {
  // API version 1 returns the vectors as a plain list.
  const vectors = Array.isArray(reply.embeddings) ? reply.embeddings : arrayOf(recordOf(reply.embeddings).float)
  const { billed_units, tokens } = recordOf(reply.meta)
  return toOpenAiEmbeddings(vectors as number[][], {
    model: requestedModel,
    encoding: body.encoding_format,
    promptTokens: countOf(recordOf(billed_units).input_tokens) || countOf(recordOf(tokens).input_tokens),
  })
}

/** Returns the API path for a model. Only version 1 has the oldest models. */
function cohereRerankPath(model: string): string {
  return model.endsWith('-v2.0') ? '/v1/rerank' : '/v2/rerank'
}

/**
 * Returns the body of a rerank request. Documents become texts, which both API versions accept. `rerankReply` adds the
 * original documents to the reply. https://docs.cohere.com/reference/rerank
 */
function cohereRerankBody({ body, model }: Pick<ProviderRequest, 'body' | 'model'>): Json {
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
