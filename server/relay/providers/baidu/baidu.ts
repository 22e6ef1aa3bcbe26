import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../json.ts'
import { readFailure } from '../failure.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { errorBodyOf, failureOf } from '../trouble.ts'
import { baiduChatBody } from './chat-body.ts'
import { baiduChatReader } from './chat-reader.ts'
import { baiduEmbeddings, baiduEmbeddingsBody } from './embeddings.ts'
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
    if (ask.operation !== 'chat' && ask.operation !== 'embeddings') {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Baidu Qianfan v1` })
    }
    const forgetToken = () => means.forgetCredential(credentialName(channel))
    // What cannot be asked is told before anybody is asked for a token.
    return ask.operation === 'chat'
      ? {
          ...(await planned('chat', baiduChatBody(ask.conversation(), { stream: ask.stream }), {
            ask,
            channel,
            means,
          })),
          reader: baiduChatReader({ forgetToken }),
          plainText: true,
        }
      : {
          ...(await planned('embeddings', baiduEmbeddingsBody(ask.body), { ask, channel, means })),
          convert(body) {
            const error = baiduError(body)
            if (error && isTokenRefused(error)) forgetToken()
            return error ? errorBodyOf(error) : baiduEmbeddings(body, ask.requestedModel)
          },
        }
  },
}

async function planned(
  folder: 'chat' | 'embeddings',
  body: Record<string, unknown>,
  { ask, channel, means }: { ask: Ask; channel: LiveChannel; means: Means },
): Promise<Plan> {
  const token = encodeURIComponent(await accessToken(channel, means))
  return {
    request: {
      url: `${channel.baseUrl}${ROOT}/${folder}/${baiduEndpoint(ask.model)}?access_token=${token}`,
      headers: { 'content-type': 'application/json', accept: ask.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify(body),
    },
  }
}
