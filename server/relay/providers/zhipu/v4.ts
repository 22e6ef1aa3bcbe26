import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { Operation } from '../../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { conversationRequest } from '../openai/converse.ts'
import { endpointCall } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import type { Provider } from '../provider.ts'
import { withErrorKinds } from '../vendor-error.ts'
import { ZHIPU_ERROR_KINDS } from './errors.ts'
import { zhipuFailure } from './v3.ts'
import { zhipuBody } from './v4-body.ts'

const PATHS: Partial<Record<Operation, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
  transcriptions: '/audio/transcriptions',
}

/**
 * Zhipu's API v4, which uses OpenAI's format. Anthropic's format has another URL.
 * https://docs.bigmodel.cn/api-reference
 */
export const zhipu: Provider = {
  failure: zhipuFailure,
  async plan(ask, configured, means) {
    const channel = { ...configured, key: configured.key.trim() }
    const path = PATHS[ask.operation]
    if (!path) throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Zhipu` })
    if (ask.operation !== 'chat') {
      const { body, headers, replyPlan } = endpointCall(ask, channel.type)
      return {
        request: { url: addressOf(channel, path), headers: { ...openAiHeaders(ask, channel), ...headers }, body },
        native: true,
        ...replyPlan,
      }
    }
    const { dialect, body, native, reader } = await conversationRequest(ask, channel, means, { adapt: zhipuBody })
    return {
      request: {
        url: dialect === 'anthropic-messages' ? messagesAddress(channel) : addressOf(channel, path),
        headers: openAiHeaders(ask, channel, dialect),
        body,
      },
      native,
      reader: withErrorKinds(reader, ZHIPU_ERROR_KINDS),
    }
  },
}

const VERSIONED = /(\/api(\/coding)?\/paas)?\/v4$/

/** Returns the URL of a path. The base URL of a coding plan already ends in the version. */
function addressOf({ baseUrl }: LiveChannel, path: string): string {
  return VERSIONED.test(baseUrl) ? baseUrl + path : `${baseUrl}/api/paas/v4${path}`
}

function messagesAddress({ baseUrl }: LiveChannel): string {
  return `${baseUrl.replace(VERSIONED, '')}/api/anthropic/v1/messages`
}
