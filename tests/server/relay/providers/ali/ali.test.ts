import { describe, expect, test } from 'vitest'
import type { LiveChannel } from '../../../../../core/channels/routing/directory.ts'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import { ali } from '../../../../../server/relay/providers/ali/ali.ts'
import type { Plan } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readStream, sse } from '../../../../support/wire.ts'

function plan(fields: Parameters<typeof askFor>[0] = {}, channel: Partial<LiveChannel> = {}): Promise<Plan> {
  return Promise.resolve(ali.plan(askFor(fields), liveChannel(17, { key: 'sk-ali', ...channel }), contextWith()))
}
const bodyOf = ({ request }: Plan) => JSON.parse(String(request.body))
const hello: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }

describe('conversations with DashScope', () => {
  test('a client in OpenAI’s format keeps its bytes', async () => {
    const body = { model: 'qwen-plus', messages: [], top_p: 0.5, enable_search: true, big: 1 }
    const ask = { model: 'qwen-plus', body, raw: Buffer.from('{"model":"qwen-plus","big":12345678901234567890}') }
    const planned = await plan(ask)
    expect(planned.request).toMatchObject({
      url: 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
      headers: { authorization: 'Bearer sk-ali', 'content-type': 'application/json' },
    })
    expect(String(planned.request.body)).toBe(String(ask.raw))
    expect(planned.native).toBe(true)
  })

  test.each([
    [0, 0.001],
    [-1, 0.001],
    [1, 0.999],
    [2, 0.999],
    [0.5, 0.5],
  ])('top_p %d is sent as %d', async (top_p, sent) => {
    expect(bodyOf(await plan({ model: 'qwen-plus', body: { model: 'qwen-plus', messages: [], top_p } })).top_p).toBe(
      sent,
    )
  })

  test('other clients are translated', async () => {
    const conversation = { ...hello, topP: 1, reasoning: { effort: 'low' } } as const
    const planned = await plan({ model: 'qwen-plus', dialect: 'anthropic-messages', conversation })
    expect(bodyOf(planned)).toMatchObject({
      model: 'qwen-plus',
      messages: [{ role: 'user', content: 'hi' }],
      top_p: 0.999,
      enable_thinking: true,
    })
    expect(planned.native).toBe(false)
  })

  test.each([
    'https://dashscope-intl.aliyuncs.com',
    'https://dashscope-intl.aliyuncs.com/',
    'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    'https://dashscope-intl.aliyuncs.com/compatible-mode',
    'https://dashscope-intl.aliyuncs.com/api/v1/',
  ])('the base %s leads to all paths', async (baseUrl) => {
    const host = 'https://dashscope-intl.aliyuncs.com'
    const urlOf = async (fields: Parameters<typeof askFor>[0]) => (await plan(fields, { baseUrl })).request.url
    expect(await urlOf({ body: { messages: [] } })).toBe(`${host}/compatible-mode/v1/chat/completions`)
    expect(await urlOf({ dialect: 'openai-completions', body: { prompt: 'a' } })).toBe(
      `${host}/compatible-mode/v1/completions`,
    )
    expect(await urlOf({ operation: 'embeddings', body: { input: 'a' } })).toBe(`${host}/compatible-mode/v1/embeddings`)
    expect(await urlOf({ operation: 'rerank' })).toBe(`${host}/api/v1/services/rerank/text-rerank/text-rerank`)
    expect(await urlOf({ operation: 'images' })).toBe(`${host}/api/v1/services/aigc/text2image/image-synthesis`)
  })

  test('plugins of the channel are sent with every request', async () => {
    const other = '{"pdf_extracter":{}}'
    for (const operation of ['chat', 'embeddings', 'images', 'rerank'] as const) {
      const planned = await plan({ operation, body: { messages: [], input: 'a' } }, { other })
      expect(planned.request.headers['x-dashscope-plugin']).toBe(other)
      expect((await plan({ operation, body: {} })).request.headers).not.toHaveProperty('x-dashscope-plugin')
    }
  })
})

describe('models that prefer streams', () => {
  const planFor = (model: string, fields: object = {}, conversation: Conversation = hello) =>
    plan({ model, body: { model, messages: [], stream: false, ...fields }, conversation })

  test.each(['qwq-plus', 'qvq-max', 'qwen3-235b-a22b-thinking-2507'])('%s is called with a stream', async (model) => {
    expect(bodyOf(await planFor(model))).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect((await planFor(model)).request.headers.accept).toBe('text/event-stream')
    const translated = await plan({ model, dialect: 'anthropic-messages', conversation: hello })
    expect(bodyOf(translated).stream).toBe(true)
  })

  test('an open model is told not to think, unless the client requests it: then it streams', async () => {
    expect(bodyOf(await planFor('qwen3-8b'))).toMatchObject({ stream: false, enable_thinking: false })
    const thinking = { ...hello, extras: { enable_thinking: true } }
    expect(bodyOf(await planFor('qwen3-30b-a3b', { enable_thinking: true }, thinking))).toMatchObject({
      stream: true,
      enable_thinking: true,
    })
    const effort = { ...hello, reasoning: { effort: 'high' } } as const
    expect(bodyOf(await planFor('qwen3-8b', { reasoning_effort: 'high' }, effort))).toMatchObject({
      stream: true,
      enable_thinking: true,
    })
    const translated = await plan({ model: 'qwen3-8b', dialect: 'anthropic-messages', conversation: hello })
    expect(bodyOf(translated).enable_thinking).toBe(false)
  })

  test.each(['qwen-plus', 'qwen3-max', 'qwen3-30b-a3b-instruct-2507'])(
    '%s is called as the client requests',
    async (model) => {
      const body = bodyOf(await planFor(model))
      expect(body.stream).toBe(false)
      expect(body).not.toHaveProperty('enable_thinking')
    },
  )

  test('a client that requests a stream is unchanged', async () => {
    const body = { model: 'qwen3-8b', messages: [], stream: true }
    expect(bodyOf(await plan({ model: 'qwen3-8b', stream: true, body }))).not.toHaveProperty('enable_thinking')
  })
})

describe('replies of DashScope', () => {
  test('reasoning, calls and a usage after the stop are read', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'c',
      model: 'qwen-plus',
      choices: [{ index: 0, delta, finish_reason }],
      usage: null,
    })
    const wire = sse(
      chunk({ role: 'assistant', content: null, reasoning_content: 'hm' }),
      chunk({ content: 'Hi', reasoning_content: null }),
      chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, id: '', type: 'function', function: { name: null, arguments: '{}' } }] }),
      chunk({ content: '' }, 'tool_calls'),
      {
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
      },
      '[DONE]',
    )
    const { reader } = await plan({ stream: true, body: { messages: [], stream: true } })
    expect(reader && readStream(reader, wire)).toMatchObject([
      { kind: 'start', id: 'c' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'Hi' },
      { kind: 'call', call: 0, id: 'a', name: 'f' },
      { kind: 'arguments', call: 0, text: '{}' },
      { kind: 'stop', reason: 'tools' },
      { kind: 'usage', usage: { promptTokens: 3, completionTokens: 2, cachedTokens: 1 } },
      { kind: 'end' },
    ])
  })

  test('an error in a stream is reported', async () => {
    const { reader } = await plan({ stream: true, body: { messages: [] } })
    const wire = sse({ error: { code: 'data_inspection_failed', message: 'no', type: 'x' }, request_id: 'r' })
    expect(reader && readStream(reader, wire)).toMatchObject([{ kind: 'error', error: { message: 'no' } }])
  })

  test('vectors are numbers, and base64 on request', async () => {
    const body = { model: 'text-embedding-v4', input: 'a', encoding_format: 'base64', dimensions: 64 }
    const planned = await plan({ operation: 'embeddings', model: 'text-embedding-v4', body })
    expect(bodyOf(planned)).toEqual({ ...body, encoding_format: 'float' })
    expect(planned.convert?.({ data: [{ index: 0, embedding: [0.5, -1, 2.25] }] })).toMatchObject({
      data: [{ index: 0, embedding: 'AAAAPwAAgL8AABBA' }],
    })
  })

  test('rankings use DashScope’s own format', async () => {
    const image = { image: 'https://pictures.example/a.png' }
    const body = {
      model: 'asked-model',
      query: 'q',
      documents: ['a', { text: 'b' }, image],
      top_n: 2,
      return_documents: true,
    }
    const planned = await plan({ operation: 'rerank', model: 'gte-rerank-v2', body })
    expect(bodyOf(planned)).toEqual({
      model: 'gte-rerank-v2',
      input: { query: 'q', documents: ['a', 'b', image] },
      parameters: { top_n: 2, return_documents: false },
    })
    const results = [
      { index: 0, relevance_score: 0.1 },
      { index: 2, relevance_score: 0.9 },
    ]
    expect(planned.convert?.({ request_id: 'r', output: { results }, usage: { total_tokens: 5 } })).toEqual({
      id: 'r',
      model: 'asked-model',
      results: [
        { index: 2, relevance_score: 0.9, document: image },
        { index: 0, relevance_score: 0.1, document: { text: 'a' } },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
    })
  })

  test('other operations are rejected', async () => {
    await expect(plan({ operation: 'speech' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
  })
})

describe('errors of DashScope', () => {
  test.each([
    [
      401,
      { code: 'InvalidApiKey', message: 'bad key', request_id: 'r' },
      { code: 'InvalidApiKey', retry: 'other-channel' },
    ],
    [429, { code: 'Throttling.RateQuota', message: 'slow' }, { code: 'Throttling.RateQuota', retry: 'other-channel' }],
    [400, { code: 'DataInspectionFailed', message: 'no' }, { code: 'DataInspectionFailed', retry: 'never' }],
    [
      400,
      { error: { code: 'data_inspection_failed', message: 'no', type: 'data_inspection_failed' } },
      { code: 'data_inspection_failed', message: 'no', retry: 'never' },
    ],
    [
      400,
      { code: 'Arrearage', message: 'pay' },
      { status: 402, type: 'insufficient_quota', code: 'Arrearage', retry: 'other-channel' },
    ],
    [
      400,
      { error: { code: 'Arrearage', message: 'pay', type: 'Arrearage' } },
      { status: 402, type: 'insufficient_quota', retry: 'other-channel' },
    ],
    [500, 'no JSON', { status: 500, retry: 'other-channel' }],
  ])('%i %j', (status, body, found) => {
    expect(ali.failure(status, typeof body === 'string' ? body : JSON.stringify(body), {})).toMatchObject(found)
  })
})
