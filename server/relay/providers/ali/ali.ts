import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { openai } from '../openai/openai.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'
import { aliFailure } from './failure.ts'
import { imagePlan } from './images.ts'
import { aliRerankBody, aliRerankReply, RERANK_PATH } from './rerank.ts'
import { adaptStreamOnlyModel } from './streaming.ts'

/**
 * DashScope, which has OpenAI's format for chat and embeddings, and its own format for other operations.
 * https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope
 */
export const ali: Provider = {
  failure: aliFailure,
  async plan(ask, channel, means): Promise<Plan> {
    const nativeChannel = { ...channel, baseUrl: hostOf(channel.baseUrl) }
    const plan = await planAt(ask, nativeChannel, means)
    if (!channel.other) return plan
    const headers = { ...plan.request.headers, 'x-dashscope-plugin': channel.other }
    return { ...plan, request: { ...plan.request, headers } }
  },
}

function planAt(ask: ProviderRequest, channel: LiveChannel, means: ProviderContext): Plan | Promise<Plan> {
  switch (ask.operation) {
    case 'chat':
      return openai.plan(adaptStreamOnlyModel(ask), channel, means)
    case 'embeddings':
      return openai.plan(ask, channel, means)
    case 'images':
      return imagePlan(ask, { baseUrl: channel.baseUrl, headers: headersOf(ask, channel) }, means)
    case 'rerank':
      return {
        request: {
          url: channel.baseUrl + RERANK_PATH,
          headers: headersOf(ask, channel),
          body: JSON.stringify(aliRerankBody(ask)),
        },
        convert: (reply) => aliRerankReply(reply, ask),
      }
    default:
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `DashScope channels do not serve ${ask.operation}` })
  }
}

function headersOf(ask: ProviderRequest, { key }: LiveChannel): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...ask.headers,
    authorization: `Bearer ${key.trim()}`,
  }
}

/** Returns the base URL without a path. Operators may enter the path of OpenAI's format or of DashScope's own format. */
function hostOf(baseUrl: string): string {
  return baseUrl.replace(/\/(compatible-mode(\/v1)?|api\/v1)?\/?$/, '')
}
