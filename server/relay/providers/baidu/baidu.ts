import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import type { Body } from '../../dialects/dialect.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined, type Json } from '../../json.ts'
import { embeddingTexts } from '../embedding-vectors.ts'
import { readFailure } from '../failure.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { inRequestedEncoding } from '../openai/embeddings.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { errorBodyOf, vendorFailureOf } from '../vendor-error.ts'
import { baiduChatBody } from './chat-body.ts'
import { baiduChatReader } from './chat-reader.ts'
import { baiduEndpoint } from './endpoints.ts'
import { baiduError, isTokenRejected } from './errors.ts'
import { baiduAccessToken, credentialName } from './token.ts'

const ROOT = '/rpc/2.0/ai_custom/v1/wenxinworkshop'
const EMBEDDING_INPUTS_MAX = 16

/** Baidu Qianfan, version 1: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baidu: Provider = {
  failure(status, body) {
    const error = baiduError(parseObject(body) ?? {})
    return error ? vendorFailureOf(status, error) : readFailure(status, body)
  },
  async plan(ask, channel, means) {
    // Validate the request before requesting an access token.
    if (ask.operation === 'chat') {
      const conversation = ask.conversation()
      const body = baiduChatBody(conversation, { stream: ask.stream })
      return {
        ...(await planOperation('chat', body, { ask, channel, means })),
        reader: withCustomCalls(baiduChatReader(), customToolsOf(conversation)),
      }
    }
    if (ask.operation !== 'embeddings') {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Baidu Qianfan v1` })
    }
    return {
      ...(await planOperation('embeddings', baiduEmbeddingsBody(ask.body), { ask, channel, means })),
      async complete(reply) {
        const error = baiduError(reply)
        return error ? errorBodyOf(error) : reply
      },
      convert: ({ data, usage }) =>
        inRequestedEncoding({ object: 'list', data, model: ask.requestedModel, usage }, ask.body),
    }
  },
}

/**
 * Converts OpenAI's embeddings request. Throws REQUEST_MALFORMED for token ids, for an empty list, and for more than 16
 * texts.
 */
function baiduEmbeddingsBody(body: Body): Json {
  const input = embeddingTexts(body)
  if (input.length > EMBEDDING_INPUTS_MAX) {
    refuse(
      `input: this model takes up to ${EMBEDDING_INPUTS_MAX} texts in one request, not ${input.length}; send several requests`,
    )
  }
  return defined({ input, user_id: typeof body.user === 'string' ? body.user : undefined })
}

async function planOperation(
  folder: 'chat' | 'embeddings',
  body: Json,
  { ask, channel, means }: { ask: ProviderRequest; channel: LiveChannel; means: ProviderContext },
): Promise<Plan> {
  const token = encodeURIComponent(await baiduAccessToken(channel, means))
  return {
    request: {
      url: `${channel.baseUrl}${ROOT}/${folder}/${baiduEndpoint(ask.model)}?access_token=${token}`,
      headers: { 'content-type': 'application/json', accept: ask.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify(body),
    },
    credential: { key: credentialName(channel), isRejectedBy: isTokenRejected },
  }
}
