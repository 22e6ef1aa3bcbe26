import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { openai } from '../openai/openai.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { aliFailure } from './failure.ts'
import { imagePlan } from './images.ts'
import { aliRerankBody, aliRerankReply, RERANK_PATH } from './rerank.ts'
import { asStreamed } from './streaming.ts'

/**
 * DashScope: OpenAI's language for texts and vectors, a language of its own for the rest.
 * https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope
 */
export const ali: Provider = {
  failure: aliFailure,
  async plan(ask, channel, means): Promise<Plan> {
    const place = { ...channel, baseUrl: hostOf(channel.baseUrl) }
    const plan = await planAt(ask, place, means)
    if (!channel.other) return plan
    const headers = { ...plan.request.headers, 'x-dashscope-plugin': channel.other }
    return { ...plan, request: { ...plan.request, headers } }
  },
}

function planAt(ask: Ask, place: LiveChannel, means: Means): Plan | Promise<Plan> {
  switch (ask.operation) {
    case 'chat':
      return openai.plan(asStreamed(ask), place, means)
    case 'embeddings':
      return openai.plan(ask, place, means)
    case 'images':
      return imagePlan(ask, { baseUrl: place.baseUrl, headers: headersOf(ask, place) }, means)
    case 'rerank':
      return {
        request: {
          url: place.baseUrl + RERANK_PATH,
          headers: headersOf(ask, place),
          body: JSON.stringify(aliRerankBody(ask)),
        },
        convert: (reply) => aliRerankReply(reply, ask),
      }
    default:
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `DashScope channels do not serve ${ask.operation}` })
  }
}

function headersOf(ask: Ask, { key }: LiveChannel): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...ask.headers,
    authorization: `Bearer ${key.trim()}`,
  }
}

/** Operators also write the address of one of the two languages. */
function hostOf(baseUrl: string): string {
  return baseUrl.replace(/\/(compatible-mode(\/v1)?|api\/v1)?\/?$/, '')
}
