import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Operation } from '../../../../core/channels/operations.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { chatReader } from '../openai/chat-reader.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { vendorBody } from '../openai/vendor-body.ts'
import type { Provider } from '../provider.ts'
import { withTroubles } from '../trouble.ts'
import { ZHIPU_TROUBLES } from './errors.ts'
import { zhipuFailure } from './v3.ts'
import { ZHIPU_RULES } from './v4-rules.ts'

const PATHS: Partial<Record<Operation, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
}
const STOPS = { sensitive: 'filter', model_context_window_exceeded: 'length' } as const

/** Zhipu's fourth API: OpenAI's format, and Anthropic's at an address of its own. https://docs.bigmodel.cn/api-reference */
export const zhipu: Provider = {
  failure: zhipuFailure,
  plan(ask, channel) {
    const path = PATHS[ask.operation]
    if (!path) throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Zhipu` })
    const isChat = ask.operation === 'chat'
    return {
      request: {
        url: zhipuAddress(channel, path),
        headers: openAiHeaders(ask, { ...channel, key: channel.key.trim() }),
        body: vendorBody(ask, channel.type, isChat ? ZHIPU_RULES : []),
      },
      native: !isChat || ask.dialect === 'openai-chat',
      reader: withTroubles(chatReader({ stops: STOPS }), ZHIPU_TROUBLES),
    }
  },
}

/** A base may be a plan's own, which ends in its version. */
function zhipuAddress({ baseUrl }: LiveChannel, path: string): string {
  return baseUrl.endsWith('/v4') ? baseUrl + path : `${baseUrl}/api/paas/v4${path}`
}
