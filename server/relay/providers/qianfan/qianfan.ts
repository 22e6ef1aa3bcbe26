import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { Json } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { openAiAddress, openAiPath } from '../openai/address.ts'
import { conversationRequest } from '../openai/converse.ts'
import { endpointPlan } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import type { Provider, ProviderRequest } from '../provider.ts'

const SEARCH_SUFFIX = '-search'
const SEARCH = { enable: true, enable_citation: true, enable_trace: true }

/** Version 2 of Baidu Qianfan, which uses OpenAI's format. https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb */
export const qianfan: Provider = {
  failure: readFailure,
  async plan(ask, channel, context) {
    if (ask.operation !== 'chat') {
      const url = openAiAddress(channel, { path: openAiPath(ask.operation, ask.dialect), model: ask.model })
      return endpointPlan(ask, channel.type, { url, headers: headersFor(ask, channel) })
    }
    const searches = ask.model.endsWith(SEARCH_SUFFIX)
    const model = searches ? ask.model.slice(0, -SEARCH_SUFFIX.length) : ask.model
    const { path, body, native, reader } = await conversationRequest({ ...ask, model }, channel, context, {
      adapt: (chatFields) => withSearch(chatFields, { searches }),
    })
    return {
      request: { url: openAiAddress(channel, { path, model }), headers: headersFor(ask, channel), body },
      native,
      reader,
    }
  },
}

/**
 * Enables search if the model's suffix (`searches`) or OpenAI's field requests it. A client's value of Qianfan's own
 * field remains. Returns the same object if nothing changes.
 */
function withSearch(body: Json, { searches }: { searches: boolean }): Json {
  const { web_search_options: searchOptions, ...rest } = body
  return searchOptions === undefined && !searches ? body : { web_search: SEARCH, ...rest }
}

/** Returns the headers. A key may include an application id, which is sent in a separate header. */
function headersFor(ask: Pick<ProviderRequest, 'headers' | 'stream'>, channel: LiveChannel): Record<string, string> {
  const [key = '', appid] = channel.key.split('|').map((part) => part.trim())
  return { ...openAiHeaders(ask, { ...channel, key }), ...(appid && { appid }) }
}
