import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Operation } from '../../../../core/channels/operations.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { readFailure } from '../failure.ts'
import { chatReader } from '../openai/chat-reader.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { choiceWithTools, type Rule, systemRole, vendorBody } from '../openai/vendor-body.ts'
import type { Provider } from '../provider.ts'

const PATHS: Partial<Record<Operation, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
}
const SEARCH_SUFFIX = '-search'
const SEARCH = { enable: true, enable_citation: true, enable_trace: true }

/** Baidu Qianfan, version 2: OpenAI's format. https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb */
export const qianfan: Provider = {
  failure: readFailure,
  plan(ask, channel) {
    const path = PATHS[ask.operation]
    if (!path) {
      throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${ask.operation} is not served by Baidu Qianfan` })
    }
    const searches = ask.operation === 'chat' && ask.model.endsWith(SEARCH_SUFFIX)
    const model = searches ? ask.model.slice(0, -SEARCH_SUFFIX.length) : ask.model
    const rules = ask.operation === 'chat' ? [systemRole, choiceWithTools, webSearch(searches)] : []
    return {
      request: {
        url: `${channel.baseUrl.replace(/\/v2$/, '')}/v2${path}`,
        headers: headersFor(ask, channel),
        body: vendorBody({ ...ask, model }, channel.type, rules),
      },
      native: ask.operation !== 'chat' || ask.dialect === 'openai-chat',
      reader: chatReader(),
    }
  },
}

/** A key may have the id of an application behind it. */
function headersFor(ask: Parameters<typeof openAiHeaders>[0], channel: LiveChannel): Record<string, string> {
  const [key = '', appid] = channel.key.split('|').map((part) => part.trim())
  return { ...openAiHeaders(ask, { ...channel, key }), ...(appid && { appid }) }
}

/** Search is wanted by the model's name, or in OpenAI's words; a client that knows Qianfan's own is left alone. */
function webSearch(byName: boolean): Rule {
  return (body) => {
    const { web_search_options: wanted, ...rest } = body
    if (wanted === undefined && !byName) return body
    return { web_search: SEARCH, ...rest }
  }
}
