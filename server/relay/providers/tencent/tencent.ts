import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { Body } from '../../dialects/dialect.ts'
import type { Json } from '../../json.ts'
import { readEmbeddingTexts } from '../embedding-vectors.ts'
import { joinAddress, openAiPath } from '../openai/address.ts'
import { conversationRequest } from '../openai/converse.ts'
import { withCustomCalls } from '../openai/custom-calls.ts'
import { toRequestedEncoding } from '../openai/embeddings.ts'
import { endpointPlan } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import { misconfigured, unsupported } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest, UpstreamRequest } from '../provider.ts'
import { failureReader, withOpenAiError } from '../vendor-error.ts'
import { hunyuanChatBody } from './chat-body.ts'
import { hunyuanChatReader, unwrapResponse } from './chat-reader.ts'
import { tencentError } from './errors.ts'
import { withSnakeNames } from './field-names.ts'
import { signedHeaders } from './signature.ts'

const VERSION = '2023-09-01'

/**
 * Tencent Hunyuan. A key with `|` signs requests to Tencent Cloud. Any other key is for the OpenAI-compatible API.
 * https://cloud.tencent.com/document/api/1729/105701
 */
export const tencent: Provider = {
  failure: failureReader(tencentError),
  plan(ask, channel, context) {
    if (ask.operation !== 'chat' && ask.operation !== 'embeddings') {
      unsupported(`${ask.operation} is not served by Tencent Hunyuan`)
    }
    const keyParts = channel.key.split('|').map((part) => part.trim())
    if (keyParts.length === 1) return planCompatible(ask, { ...channel, key: channel.key.trim() }, context)
    const signing = { keyParts, channel, nowMs: context.now() }
    if (ask.operation === 'chat') {
      const { model, stream } = ask
      const conversation = ask.conversation()
      return {
        request: signedRequest('ChatCompletions', hunyuanChatBody(conversation, { model, stream }), signing),
        reader: withCustomCalls(hunyuanChatReader(), customToolsOf(conversation)),
      }
    }
    return {
      request: signedRequest('GetEmbedding', hunyuanEmbeddingsBody(ask.body), signing),
      complete: withOpenAiError(tencentError),
      convert(reply) {
        const { data, usage } = withSnakeNames(unwrapResponse(reply))
        return toRequestedEncoding({ object: 'list', data, model: ask.requestedModel, usage }, ask.body)
      },
    }
  },
}

function signedRequest(
  action: string,
  fields: Record<string, unknown>,
  { keyParts, channel, nowMs }: { keyParts: readonly string[]; channel: LiveChannel; nowMs: number },
): UpstreamRequest {
  const [secretId, secretKey] = keyParts.slice(-2)
  if (!secretId || !secretKey) misconfigured(channel.id, 'the key must be AppId|SecretId|SecretKey, or an API key')
  const url = new URL(channel.baseUrl)
  const body = JSON.stringify(fields)
  const headers = signedHeaders({ url, action, version: VERSION, body, secretId, secretKey, nowMs })
  return { url: url.href, headers, body }
}

async function planCompatible(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Promise<Plan> {
  const { baseUrl, type } = channel
  const base = baseUrl === type.baseUrl ? (type.compatibleUrl ?? baseUrl) : baseUrl
  const headers = openAiHeaders(ask, channel)
  if (ask.operation !== 'chat') {
    return endpointPlan(ask, type, { url: joinAddress(base, openAiPath(ask.operation, ask.dialect)), headers })
  }
  const { path, body, native, reader } = await conversationRequest(ask, channel, context)
  return { request: { url: joinAddress(base, path), headers, body }, native, reader }
}

const INPUTS_MAX = 200

/**
 * Converts OpenAI's embeddings request to GetEmbedding, which has a single model. Throws REQUEST_MALFORMED for token
 * ids, an empty list, and more than 200 texts. https://cloud.tencent.com/document/api/1729/102832
 */
function hunyuanEmbeddingsBody(body: Body): Json {
  const texts = readEmbeddingTexts(body, { max: INPUTS_MAX })
  return typeof body.input === 'string' ? { Input: body.input } : { InputList: texts }
}
