import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import type { Plan, ProviderRequest } from '../../../../../server/relay/providers/provider.ts'
import { qianfan } from '../../../../../server/relay/providers/qianfan/qianfan.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const messages = [{ role: 'user', content: 'hi' }]
const hi: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }
const SEARCH = { enable: true, enable_citation: true, enable_trace: true }

async function plan(
  fields: Omit<Partial<ProviderRequest>, 'conversation'> & { conversation?: Conversation } = {},
  channel: Parameters<typeof liveChannel>[1] = {},
): Promise<Plan> {
  const ask = askFor({ model: 'ernie-4.0-8k', conversation: hi, body: { model: 'ernie-4.0-8k', messages }, ...fields })
  return qianfan.plan(ask, liveChannel(46, { key: 'bce-v3/ALTAK-1/2', ...channel }), contextWith())
}
const sent = ({ request }: Plan) => JSON.parse(String(request.body))

describe('addresses of Qianfan', () => {
  test.each([
    ['', 'chat', 'https://qianfan.baidubce.com/v2/chat/completions'],
    ['', 'embeddings', 'https://qianfan.baidubce.com/v2/embeddings'],
    ['', 'images', 'https://qianfan.baidubce.com/v2/images/generations'],
    ['', 'rerank', 'https://qianfan.baidubce.com/v2/rerank'],
    ['http://127.0.0.1:9', 'chat', 'http://127.0.0.1:9/v2/chat/completions'],
    ['http://127.0.0.1:9/v2', 'embeddings', 'http://127.0.0.1:9/v2/embeddings'],
  ] as const)('base %j, %s: %s', async (baseUrl, operation, url) => {
    const { request, native } = await plan({ operation }, baseUrl ? { baseUrl } : {})
    expect(request.url).toBe(url)
    expect(native).toBe(true)
  })

  test.each([
    ['bce-v3/ALTAK-1/2', 'Bearer bce-v3/ALTAK-1/2', undefined],
    ['bce-v3/ALTAK-1/2|app-7', 'Bearer bce-v3/ALTAK-1/2', 'app-7'],
  ])('the key %s is sent as %s, with the application %s', async (key, authorization, appid) => {
    for (const operation of ['chat', 'embeddings'] as const) {
      const { headers } = (await plan({ operation }, { key })).request
      expect(headers.authorization).toBe(authorization)
      expect(headers.appid).toBe(appid)
    }
  })
})

describe('chat completions for Qianfan', () => {
  test("a client’s bytes are forwarded, with Qianfan's own fields", async () => {
    const raw = Buffer.from(
      '{ "model":"ernie-4.0-8k", "messages":[], "penalty_score":1.1, "web_search":{"enable":false} }',
    )
    expect((await plan({ raw, body: JSON.parse(raw.toString()) })).request.body).toBe(raw)
  })

  test('usage is requested in a stream', async () => {
    const body = { model: 'ernie-4.0-8k', messages, stream: true }
    expect(sent(await plan({ stream: true, body }))).toMatchObject({ stream_options: { include_usage: true } })
  })

  test.each(['openai-chat', 'anthropic-messages'] as const)(
    'a model with the suffix -search is sent without it, and searches: %s',
    async (dialect) => {
      const model = 'ernie-4.0-8k-search'
      const plans = [
        await plan({ dialect, model, body: { model, messages } }),
        // The channel maps a plain name to one that searches.
        await plan({ dialect, model, body: { model: 'ernie-4.0-8k', messages } }),
      ]
      for (const each of plans) {
        expect(sent(each)).toMatchObject({ model: 'ernie-4.0-8k', messages, web_search: SEARCH })
      }
    },
  )

  test('OpenAI’s search fields become Qianfan’s, and Qianfan’s own are kept', async () => {
    const clientBody = { model: 'ernie-4.0-8k', messages, web_search_options: {} }
    expect(sent(await plan({ body: clientBody }))).toEqual({ model: 'ernie-4.0-8k', messages, web_search: SEARCH })
    const upstreamBody = { model: 'ernie-4.0-8k-search', messages, web_search: { enable: true } }
    expect(sent(await plan({ model: 'ernie-4.0-8k-search', body: upstreamBody })).web_search).toEqual({ enable: true })
  })

  test('a developer becomes a system, and a choice without tools is dropped', async () => {
    const body = { model: 'ernie-4.0-8k', messages: [{ role: 'developer', content: 'x' }], tool_choice: 'auto' }
    expect(sent(await plan({ body }))).toEqual({
      model: 'ernie-4.0-8k',
      messages: [{ role: 'system', content: 'x' }],
    })
  })

  test('another dialect’s conversation is translated', async () => {
    const planned = await plan({ dialect: 'gemini' })
    expect(sent(planned)).toEqual({ model: 'ernie-4.0-8k', messages, stream: false })
    expect(planned.native).toBe(false)
  })
})

describe('other replies of Qianfan', () => {
  test('vectors are base64 on request', async () => {
    const { convert } = await plan({ operation: 'embeddings', body: { input: 'a', encoding_format: 'base64' } })
    expect(convert?.({ data: [{ embedding: [0.5, -1, 2.25], index: 0 }], usage: { prompt_tokens: 1 } })).toMatchObject({
      data: [{ embedding: 'AAAAPwAAgL8AABBA' }],
    })
  })

  test('a ranking has documents as objects, on request', async () => {
    const body = { query: 'q', documents: ['d'], return_documents: true }
    const { convert } = await plan({ operation: 'rerank', body })
    expect(convert?.({ results: [{ document: 'd', relevance_score: 0.5, index: 0 }] })).toMatchObject({
      results: [{ document: { text: 'd' }, relevance_score: 0.5, index: 0 }],
    })
  })

  test('an error keeps its status, code and message', () => {
    const body =
      '{"error":{"code":"invalid_iam_token","message":"bad token","type":"invalid_request_error"},"id":"as-1"}'
    expect(qianfan.failure(401, body, {})).toMatchObject({
      status: 401,
      code: 'invalid_iam_token',
      message: 'bad token',
      retry: 'other-channel',
    })
  })
})
