import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { defined } from '../../../../core/records.ts'
import type { Body } from '../../dialects/dialect.ts'
import { type Json, numberOf, textOf } from '../../json.ts'
import { readEmbeddingTexts } from '../embedding-vectors.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { toRequestedEncoding } from '../openai/embeddings.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { misconfigured, unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { failureReader, withOpenAiError } from '../vendor-error.ts'
import { baiduChatBody } from './chat-body.ts'
import { baiduChatReader } from './chat-reader.ts'
import { baiduEndpoint } from './endpoints.ts'
import { baiduError, isTokenRejected } from './errors.ts'

const ROOT = '/rpc/2.0/ai_custom/v1/wenxinworkshop'
const EMBEDDING_INPUTS_MAX = 16

/** Baidu Qianfan, version 1: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baidu: Provider = {
  failure: failureReader(baiduError),
  async plan(ask, channel, context) {
    // Build the body first. This rejects invalid requests before a token is requested.
    if (ask.operation === 'chat') {
      const conversation = ask.conversation()
      const body = baiduChatBody(conversation, { stream: ask.stream })
      return {
        ...(await planOperation('chat', body, { ask, channel, context })),
        reader: withCustomCalls(baiduChatReader(), customToolsOf(conversation)),
      }
    }
    if (ask.operation !== 'embeddings') unsupported(`${ask.operation} is not served by Baidu Qianfan v1`)
    return {
      ...(await planOperation('embeddings', baiduEmbeddingsBody(ask.body), { ask, channel, context })),
      complete: withOpenAiError(baiduError),
      convert: ({ data, usage }) =>
        toRequestedEncoding({ object: 'list', data, model: ask.requestedModel, usage }, ask.body),
    }
  },
}

/**
 * Converts OpenAI's embeddings request. Throws REQUEST_MALFORMED for token ids, for an empty list, and for more than 16
 * texts.
 */
function baiduEmbeddingsBody(body: Body): Json {
  const input = readEmbeddingTexts(body, { max: EMBEDDING_INPUTS_MAX })
  return defined({ input, user_id: typeof body.user === 'string' ? body.user : undefined })
}

async function planOperation(
  folder: 'chat' | 'embeddings',
  body: Json,
  { ask, channel, context }: { ask: ProviderRequest; channel: LiveChannel; context: ProviderContext },
): Promise<Plan> {
  const token = encodeURIComponent(await baiduAccessToken(channel, context))
  return {
    request: {
      url: `${channel.baseUrl}${ROOT}/${folder}/${baiduEndpoint(ask.model)}?access_token=${token}`,
      headers: { 'content-type': 'application/json', accept: ask.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify(body),
    },
    credential: { key: credentialName(channel), isRejectedBy: isTokenRejected },
  }
}

const SECOND_MS = 1000

/**
 * Returns the channel's access token, cached until shortly before it expires (usually after 30 days). Throws
 * CHANNEL_MISCONFIGURED if the key lacks an API key or a secret key, or if Baidu's reply is an error. Throws
 * UPSTREAM_FAILED for a reply with neither a token nor an error.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5
 */
function baiduAccessToken(channel: LiveChannel, context: ProviderContext): Promise<string> {
  const [client, secret] = channel.key.split('|').map((part) => part.trim())
  if (!client || !secret) misconfigured(channel.id, 'the key must be APIKey|SecretKey')
  return context.credential(credentialName(channel), async () => {
    const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret })
    const { status, body } = await context.call({
      url: `${channel.baseUrl}/oauth/2.0/token?${query}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: null,
    })
    const reply = parseObject(body.toString('utf8'))
    const value = textOf(reply?.access_token)
    if (value) return { value, expiresAt: context.now() + (numberOf(reply?.expires_in) ?? 0) * SECOND_MS }
    const reason = textOf(reply?.error_description) ?? textOf(reply?.error)
    if (reason) misconfigured(channel.id, `Baidu returns no token for the channel's key: ${reason}`)
    throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The token endpoint returned status ${status}`) })
  })
}

/** Returns the cache key of a channel's access token. */
function credentialName({ baseUrl, key }: Pick<LiveChannel, 'baseUrl' | 'key'>): string {
  return `baidu ${baseUrl} ${key}`
}
