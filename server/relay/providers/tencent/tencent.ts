import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { joinAddress, openAiPath } from '../openai/address.ts'
import { chatReader } from '../openai/chat-reader.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { choiceWithTools, maxTokensName, systemRole, vendorBody } from '../openai/vendor-body.ts'
import type { Ask, Means, Plan, Provider, UpstreamRequest } from '../provider.ts'
import { failureOf } from '../trouble.ts'
import { hunyuanChatBody } from './chat-body.ts'
import { hunyuanChatReader } from './chat-reader.ts'
import { hunyuanEmbeddings, hunyuanEmbeddingsBody } from './embeddings.ts'
import { tencentError } from './errors.ts'
import { signedHeaders } from './signature.ts'

const VERSION = '2023-09-01'

/**
 * Tencent Hunyuan. A key of several parts signs calls of Tencent Cloud; a plain one is for the address that speaks
 * OpenAI's format. https://cloud.tencent.com/document/api/1729/105701
 */
export const tencent: Provider = {
  failure(status, body) {
    const error = tencentError(parseObject(body) ?? {})
    return error ? failureOf(status, error) : readFailure(status, body)
  },
  plan(ask, channel, means) {
    if (ask.operation !== 'chat' && ask.operation !== 'embeddings') {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Tencent Hunyuan` })
    }
    const parts = channel.key.split('|').map((part) => part.trim())
    if (parts.length === 1) return compatible(ask, channel)
    if (ask.operation === 'chat') {
      const { model, stream } = ask
      const body = hunyuanChatBody(ask.conversation(), { model, stream })
      return { request: signed('ChatCompletions', body, { parts, channel, means }), reader: hunyuanChatReader() }
    }
    return {
      request: signed('GetEmbedding', hunyuanEmbeddingsBody(ask.body), { parts, channel, means }),
      convert: (body) => hunyuanEmbeddings(body, ask.requestedModel),
    }
  },
}

function signed(
  action: string,
  fields: Record<string, unknown>,
  { parts, channel, means }: { parts: readonly string[]; channel: LiveChannel; means: Pick<Means, 'now'> },
): UpstreamRequest {
  const [secretId, secretKey] = parts.slice(-2)
  if (!secretId || !secretKey) {
    throw new GatewayError('CHANNEL_MISCONFIGURED', {
      id: channel.id,
      reason: 'the key must be AppId|SecretId|SecretKey, or an API key',
    })
  }
  const url = new URL(channel.baseUrl)
  const body = JSON.stringify(fields)
  const nowMs = means.now()
  return {
    url: url.href,
    headers: signedHeaders({ url, action, version: VERSION, body, secretId, secretKey, nowMs }),
    body,
  }
}

function compatible(ask: Ask, channel: LiveChannel): Plan {
  const { baseUrl, type } = channel
  const base = baseUrl === type.baseUrl ? (type.compatibleUrl ?? baseUrl) : baseUrl
  const isNative = ask.operation !== 'chat' || ask.dialect === 'openai-chat'
  const rules = ask.operation === 'chat' ? [systemRole, maxTokensName, choiceWithTools] : []
  return {
    request: {
      url: joinAddress(base, openAiPath(ask.operation, 'openai-chat')),
      headers: openAiHeaders(ask, { ...channel, key: channel.key.trim() }),
      body: vendorBody(ask, type, rules),
    },
    native: isNative,
    reader: chatReader({ stops: { sensitive: 'filter' } }),
  }
}
