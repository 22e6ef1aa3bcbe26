import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import type { Body } from '../../dialects/dialect.ts'
import type { Json } from '../../json.ts'
import { embeddingTexts } from '../embedding-vectors.ts'
import { readFailure } from '../failure.ts'
import { joinAddress, openAiPath } from '../openai/address.ts'
import { conversationRequest } from '../openai/converse.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { inRequestedEncoding } from '../openai/embeddings.ts'
import { endpointCall } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { withoutChoiceIfNoTools } from '../openai/tool-choice.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest, UpstreamRequest } from '../provider.ts'
import { errorBodyOf, vendorFailureOf } from '../vendor-error.ts'
import { hunyuanChatBody } from './chat-body.ts'
import { hunyuanChatReader, unwrapResponse } from './chat-reader.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'
import { signedHeaders } from './signature.ts'

const VERSION = '2023-09-01'

/**
 * Tencent Hunyuan. A key with `|` signs Tencent Cloud requests. Any other key is for the OpenAI-compatible API.
 * https://cloud.tencent.com/document/api/1729/105701
 */
export const tencent: Provider = {
  failure(status, body) {
    const error = tencentError(parseObject(body) ?? {})
    return error ? vendorFailureOf(status, error) : readFailure(status, body)
  },
  plan(ask, channel, context) {
    if (ask.operation !== 'chat' && ask.operation !== 'embeddings') {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Tencent Hunyuan` })
    }
    const keyParts = channel.key.split('|').map((part) => part.trim())
    if (keyParts.length === 1) return planCompatible(ask, { ...channel, key: channel.key.trim() }, context)
    if (ask.operation === 'chat') {
      const { model, stream } = ask
      const conversation = ask.conversation()
      const body = hunyuanChatBody(conversation, { model, stream })
      return {
        request: signedRequest('ChatCompletions', body, { keyParts, channel, context }),
        reader: withCustomCalls(hunyuanChatReader(), customToolsOf(conversation)),
      }
    }
    return {
      request: signedRequest('GetEmbedding', hunyuanEmbeddingsBody(ask.body), { keyParts, channel, context }),
      async complete(reply) {
        const error = tencentError(reply)
        return error ? errorBodyOf(error) : reply
      },
      convert(reply) {
        const { data, usage } = withSnakeNames(unwrapResponse(reply))
        return inRequestedEncoding({ object: 'list', data, model: ask.requestedModel, usage }, ask.body)
      },
    }
  },
}

function signedRequest(
  action: string,
  fields: Record<string, unknown>,
  {
    keyParts,
    channel,
    context,
  }: { keyParts: readonly string[]; channel: LiveChannel; context: Pick<ProviderContext, 'now'> },
): UpstreamRequest {
  const [secretId, secretKey] = keyParts.slice(-2)
  if (!secretId || !secretKey) {
    throw new GatewayError('CHANNEL_MISCONFIGURED', {
      id: channel.id,
      reason: 'the key must be AppId|SecretId|SecretKey, or an API key',
    })
  }
  const url = new URL(channel.baseUrl)
  const body = JSON.stringify(fields)
  const nowMs = context.now()
  return {
    url: url.href,
    headers: signedHeaders({ url, action, version: VERSION, body, secretId, secretKey, nowMs }),
    body,
  }
}

async function planCompatible(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Promise<Plan> {
  const { baseUrl, type } = channel
  const base = baseUrl === type.baseUrl ? (type.compatibleUrl ?? baseUrl) : baseUrl
  if (ask.operation !== 'chat') {
    const { body, headers, replyPlan } = endpointCall(ask, type)
    const url = joinAddress(base, openAiPath(ask.operation, ask.dialect))
    return {
      request: { url, headers: { ...openAiHeaders(ask, channel), ...headers }, body },
      native: true,
      ...replyPlan,
    }
  }
  const { path, body, native, reader } = await conversationRequest(ask, channel, context, {
    adapt: withoutChoiceIfNoTools,
  })
  return { request: { url: joinAddress(base, path), headers: openAiHeaders(ask, channel), body }, native, reader }
}

const INPUTS_MAX = 200

/**
 * Converts OpenAI's embeddings request to GetEmbedding, which has a single model.
 * https://cloud.tencent.com/document/api/1729/102832
 *
 * Throws REQUEST_MALFORMED for token ids, an empty list, and more than 200 texts.
 */
function hunyuanEmbeddingsBody(body: Body): Json {
  const texts = embeddingTexts(body, { max: INPUTS_MAX })
  return typeof body.input === 'string' ? { Input: body.input } : { InputList: texts }
}
