import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { type Json, parseObject } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { asAsked } from '../openai/embeddings.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { errorBodyOf, failureOf } from '../trouble.ts'
import { baiduChatBody } from './chat-body.ts'
import { baiduChatReader } from './chat-reader.ts'
import { baiduEmbeddingsBody } from './embeddings.ts'
import { baiduEndpoint } from './endpoints.ts'
import { baiduError, isTokenRefused } from './errors.ts'
import { accessToken, credentialName } from './token.ts'

const ROOT = '/rpc/2.0/ai_custom/v1/wenxinworkshop'

/** Baidu Qianfan, version 1: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baidu: Provider = {
  failure(status, body) {
    const error = baiduError(parseObject(body) ?? {})
    return error ? failureOf(status, error) : readFailure(status, body)
  },
  async plan(ask, channel, means) {
    // What cannot be asked is told before anybody is asked for a token.
    if (ask.operation === 'chat') {
      const conversation = ask.conversation()
      const body = baiduChatBody(conversation, { stream: ask.stream })
      return {
        ...(await planned('chat', body, { ask, channel, means })),
        reader: withCustomCalls(baiduChatReader(), customToolsOf(conversation)),
      }
    }
    if (ask.operation !== 'embeddings') {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Baidu Qianfan v1` })
    }
    return {
      ...(await planned('embeddings', baiduEmbeddingsBody(ask.body), { ask, channel, means })),
      async follow(reply) {
        const error = baiduError(reply)
        return error ? errorBodyOf(error) : reply
      },
      convert: ({ data, usage }) => asAsked({ object: 'list', data, model: ask.requestedModel, usage }, ask.body),
    }
  },
}

async function planned(
  folder: 'chat' | 'embeddings',
  body: Json,
  { ask, channel, means }: { ask: Ask; channel: LiveChannel; means: Means },
): Promise<Plan> {
  const token = encodeURIComponent(await accessToken(channel, means))
  return {
    request: {
      url: `${channel.baseUrl}${ROOT}/${folder}/${baiduEndpoint(ask.model)}?access_token=${token}`,
      headers: { 'content-type': 'application/json', accept: ask.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify(body),
    },
    credential: { key: credentialName(channel), refused: isTokenRefused },
  }
}
