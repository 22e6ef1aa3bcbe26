import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { joinAddress, openAiPath } from '../openai/address.ts'
import { converse } from '../openai/converse.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { asAsked } from '../openai/embeddings.ts'
import { endpointCall } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { withoutIdleChoice } from '../openai/tool-choice.ts'
import type { Ask, Means, Plan, Provider, UpstreamRequest } from '../provider.ts'
import { errorBodyOf, failureOf } from '../trouble.ts'
import { hunyuanChatBody } from './chat-body.ts'
import { hunyuanChatReader, unwrapped } from './chat-reader.ts'
import { hunyuanEmbeddingsBody } from './embeddings.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'
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
    if (parts.length === 1) return compatible(ask, { ...channel, key: channel.key.trim() }, means)
    if (ask.operation === 'chat') {
      const { model, stream } = ask
      const conversation = ask.conversation()
      const body = hunyuanChatBody(conversation, { model, stream })
      return {
        request: signed('ChatCompletions', body, { parts, channel, means }),
        reader: withCustomCalls(hunyuanChatReader(), customToolsOf(conversation)),
      }
    }
    return {
      request: signed('GetEmbedding', hunyuanEmbeddingsBody(ask.body), { parts, channel, means }),
      async follow(reply) {
        const error = tencentError(reply)
        return error ? errorBodyOf(error) : reply
      },
      convert(reply) {
        const { data, usage } = withSnakeNames(unwrapped(reply))
        return asAsked({ object: 'list', data, model: ask.requestedModel, usage }, ask.body)
      },
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

async function compatible(ask: Ask, channel: LiveChannel, means: Means): Promise<Plan> {
  const { baseUrl, type } = channel
  const base = baseUrl === type.baseUrl ? (type.compatibleUrl ?? baseUrl) : baseUrl
  if (ask.operation !== 'chat') {
    const { body, headers, reading } = endpointCall(ask, type)
    const url = joinAddress(base, openAiPath(ask.operation, ask.dialect))
    return { request: { url, headers: { ...openAiHeaders(ask, channel), ...headers }, body }, native: true, ...reading }
  }
  const { path, body, native, reader } = await converse(ask, channel, means, { adapt: withoutIdleChoice })
  return { request: { url: joinAddress(base, path), headers: openAiHeaders(ask, channel), body }, native, reader }
}
