import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { readFailure } from '../failure.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import type { Plan, Provider, ProviderRequest } from '../provider.ts'
import { rerankReply } from '../rerank.ts'
import { cohereChatBody } from './chat-body.ts'
import { cohereChatReader } from './chat-reader.ts'
import { cohereEmbedBody, cohereEmbedReply } from './embed.ts'
import { cohereRerankBody, cohereRerankPath } from './rerank.ts'

/** Cohere: https://docs.cohere.com/reference/chat */
export const cohere: Provider = {
  failure: readFailure,
  plan(ask, channel): Plan {
    switch (ask.operation) {
      case 'chat': {
        const conversation = ask.conversation()
        const customTools = new Set(conversation.tools.flatMap(({ name, custom }) => (custom ? [name] : [])))
        const body = cohereChatBody(conversation, { model: ask.model, stream: ask.stream })
        return {
          request: postRequest(ask, channel, '/v2/chat', body),
          reader: withCustomCalls(cohereChatReader(), customTools),
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
        throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `Cohere channels do not serve ${ask.operation}` })
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
