import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import type { Plan, ProviderRequest, ReplyReader } from '../../../../../server/relay/providers/provider.ts'
import { zhipu } from '../../../../../server/relay/providers/zhipu/v4.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const messages = [{ role: 'user', content: 'hi' }]
const hi: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }
const BASE = 'https://open.bigmodel.cn'

async function plan(
  fields: Omit<Partial<ProviderRequest>, 'conversation'> & { conversation?: Conversation } = {},
  channel: Parameters<typeof liveChannel>[1] = {},
): Promise<Plan> {
  const ask = askFor({ model: 'glm-4', conversation: hi, body: { model: 'glm-4', messages }, ...fields })
  return zhipu.plan(ask, liveChannel(26, { key: 'id.secret', ...channel }), contextWith())
}
const sentFor = async (body: object) => {
  const { request } = await plan({ body: { model: 'glm-4', messages, ...body } })
  return JSON.parse(String(request.body))
}

describe('addresses of Zhipu', () => {
  test.each([
    ['', 'chat', `${BASE}/api/paas/v4/chat/completions`],
    ['', 'embeddings', `${BASE}/api/paas/v4/embeddings`],
    ['', 'images', `${BASE}/api/paas/v4/images/generations`],
    ['', 'rerank', `${BASE}/api/paas/v4/rerank`],
    [`${BASE}/api/coding/paas/v4`, 'chat', `${BASE}/api/coding/paas/v4/chat/completions`],
    ['https://api.z.ai', 'chat', 'https://api.z.ai/api/paas/v4/chat/completions'],
    ['http://127.0.0.1:9/v4', 'chat', 'http://127.0.0.1:9/v4/chat/completions'],
  ] as const)('base %j, %s: %s', async (baseUrl, operation, url) => {
    const { request, native } = await plan({ operation }, baseUrl ? { baseUrl } : {})
    expect(request.url).toBe(url)
    expect(request.headers.authorization).toBe('Bearer id.secret')
    expect(native).toBe(true)
  })

  test.each([
    [BASE, `${BASE}/api/anthropic/v1/messages`],
    [`${BASE}/api/coding/paas/v4`, `${BASE}/api/anthropic/v1/messages`],
    ['http://127.0.0.1:9', 'http://127.0.0.1:9/api/anthropic/v1/messages'],
  ])('Messages at base %s go to %s, byte for byte', async (baseUrl, url) => {
    const body = { model: 'glm-4', max_tokens: 5, messages, thinking: { type: 'enabled' } }
    const { request, native, reader } = await plan({ dialect: 'anthropic-messages', body }, { baseUrl, key: ' key ' })
    expect(request.url).toBe(url)
    expect(request.headers).toMatchObject({ 'x-api-key': 'key', 'anthropic-version': '2023-06-01' })
    expect(request.headers).not.toHaveProperty('authorization')
    expect(String(request.body)).toBe(JSON.stringify(body))
    expect(native).toBe(true)
    const usage = { input_tokens: 3, output_tokens: 2 }
    const reply = { id: 'm', content: [{ type: 'text', text: 'yes' }], stop_reason: 'end_turn', usage }
    expect(collect((reader as ReplyReader).whole(reply))).toMatchObject({
      choices: [{ text: 'yes', stop: 'stop' }],
      usage: { promptTokens: 3, completionTokens: 2 },
    })
  })

  test('speech is unsupported', async () => {
    await expect(plan({ operation: 'speech' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
  })
})

describe('chat completions for Zhipu', () => {
  test('a client’s bytes are forwarded if nothing must change', async () => {
    const raw = Buffer.from(
      '{ "model":"glm-4", "messages":[], "seed":12345678901234567890, "tools":[{"type":"web_search","web_search":{}}] }',
    )
    const { request } = await plan({ raw, body: JSON.parse(raw.toString()) })
    expect(request.body).toBe(raw)
  })

  test('usage is requested in a stream', async () => {
    const { request } = await plan({ stream: true, body: { model: 'glm-4', messages, stream: true } })
    expect(JSON.parse(String(request.body))).toMatchObject({ stream_options: { include_usage: true } })
  })

  test.each([
    [{ top_p: 1 }, { top_p: 0.99 }],
    [{ top_p: 0 }, { top_p: 0.01 }],
    [{ top_p: 0.5 }, { top_p: 0.5 }],
    [{ temperature: 1 }, { temperature: 0.99 }],
    [{ temperature: 1.8 }, { temperature: 0.99 }],
    [{ temperature: 0 }, { do_sample: false }],
    [{ temperature: 0, do_sample: true }, { do_sample: true }],
    [{ temperature: 0.3 }, { temperature: 0.3 }],
    [{ stop: 'END' }, { stop: ['END'] }],
    [{ stop: ['\n', 'a', 'b'] }, { stop: ['a'] }],
    [{ stop: ['a'] }, { stop: ['a'] }],
    [{ stop: [' ', '\n'] }, {}],
    [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [{ reasoning_effort: 'high' }, { thinking: { type: 'enabled' } }],
    [{ reasoning_effort: 'high', thinking: { type: 'disabled' } }, { thinking: { type: 'disabled' } }],
    [{ max_completion_tokens: 5 }, { max_tokens: 5 }],
    [{ tool_choice: 'auto', parallel_tool_calls: true }, {}],
    [
      { do_sample: false, tool_stream: true, request_id: 'r' },
      { do_sample: false, tool_stream: true, request_id: 'r' },
    ],
  ])('%j is sent as %j', async (fields, sent) => {
    expect(await sentFor(fields)).toEqual({ model: 'glm-4', messages, ...sent })
  })

  test('a developer becomes a system', async () => {
    expect(await sentFor({ messages: [{ role: 'developer', content: 'x' }] })).toMatchObject({
      messages: [{ role: 'system', content: 'x' }],
    })
  })

  const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name } }))
  const search = { type: 'web_search', web_search: { enable: true } }
  test.each([
    ['auto', { tools, tool_choice: 'auto' }],
    ['required', { tools, tool_choice: 'auto' }],
    ['none', {}],
    [
      { type: 'function', function: { name: 'b' } },
      { tools: tools.slice(1), tool_choice: 'auto' },
    ],
    [
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: tools.slice(0, 1) } },
      { tools: tools.slice(0, 1), tool_choice: 'auto' },
    ],
  ])('the tool choice %j becomes auto, with the remaining tools', async (tool_choice, sent) => {
    expect(await sentFor({ tools, tool_choice })).toEqual({ model: 'glm-4', messages, ...sent })
  })

  test('built-in tools are forwarded', async () => {
    expect(await sentFor({ tools: [search], tool_choice: 'auto' })).toMatchObject({ tools: [search] })
  })

  const partsFor = async (...parts: object[]) =>
    (await sentFor({ messages: [{ role: 'user', content: parts }] })).messages[0].content
  test('an image in base64 is sent bare, others unchanged', async () => {
    const text = { type: 'text', text: 'what?' }
    const remote = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } }
    const inline = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } }
    expect(await partsFor(text, remote, inline)).toEqual([
      text,
      remote,
      { type: 'image_url', image_url: { url: 'iVBORw0KGgo=', detail: 'low' } },
    ])
  })

  test('an image given as a plain text is one too', async () => {
    expect(await partsFor({ type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgo=' })).toEqual([
      { type: 'image_url', image_url: { url: 'iVBORw0KGgo=' } },
    ])
  })

  test('another dialect’s conversation follows the same rules', async () => {
    const conversation: Conversation = {
      turns: [{ role: 'user', parts: [{ kind: 'image', media: { data: 'AA==', mime: 'image/png' } }] }],
      tools: [{ name: 'a' }],
      toolChoice: { mode: 'required' },
      topP: 1,
      temperature: 0,
      stop: ['x', 'y'],
      extras: {},
    }
    const { request, native } = await plan({ dialect: 'gemini', conversation })
    expect(JSON.parse(String(request.body))).toMatchObject({
      model: 'glm-4',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'AA==' } }] }],
      tool_choice: 'auto',
      top_p: 0.99,
      do_sample: false,
      stop: ['x'],
    })
    expect(native).toBe(false)
  })
})

describe('replies of Zhipu', () => {
  const read = async (...chunks: unknown[]) => readStream((await plan()).reader as ReplyReader, sse(...chunks))
  const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}) => ({
    id: 'z-1',
    model: 'glm-4',
    choices: [{ index: 0, delta, finish_reason }],
    ...rest,
  })

  test('reasoning, text and the usage of the last chunk are read', async () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 4,
      total_tokens: 13,
      prompt_tokens_details: { cached_tokens: 5 },
    }
    const events = await read(
      chunk({ role: 'assistant', reasoning_content: 'hm' }),
      chunk({ content: 'yes' }),
      chunk({ content: '' }, 'stop', { usage }),
      '[DONE]',
    )
    expect(collect(events)).toMatchObject({
      choices: [{ text: 'yes', reasoning: [{ text: 'hm' }], stop: 'stop' }],
      usage: { promptTokens: 9, completionTokens: 4, cachedTokens: 5 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test.each([
    ['sensitive', 'filter'],
    ['model_context_window_exceeded', 'length'],
    ['tool_calls', 'tools'],
    ['length', 'length'],
  ])('the finish reason %s is %s', async (reason, stop) => {
    expect(collect(await read(chunk({ content: 'x' }, reason))).choices[0]?.stop).toBe(stop)
  })

  test('a reply with a vendor network error is a failure', async () => {
    const events = await read(chunk({ content: 'x' }), chunk({}, 'network_error'))
    expect(events.at(-1)).toMatchObject({ kind: 'error' })
  })

  test('an error in a stream has the meaning of its code', async () => {
    const events = await read({ error: { code: '1301', message: 'unsafe' } })
    expect(events).toEqual([
      { kind: 'error', error: expect.objectContaining({ code: '1301', message: 'unsafe', status: 400 }) },
    ])
  })
})

test.each([
  [401, '1000', { status: 401, type: 'authentication_error', retry: 'other-channel' }],
  [429, '1113', { status: 429, type: 'insufficient_quota', retry: 'other-channel' }],
  [429, '1302', { status: 429, type: 'rate_limit_error', retry: 'other-channel' }],
  [400, '1301', { status: 400, type: 'content_policy_violation', retry: 'never' }],
  [400, '1211', { status: 400, retry: 'other-channel' }],
  [400, '1214', { status: 400, retry: 'never' }],
  [500, '1234', { status: 500, retry: 'other-channel' }],
  [400, '9999', { status: 400, code: '9999', retry: 'never' }],
])('status %i with code %s is a failure whose code decides', (status, code, failure) => {
  expect(zhipu.failure(status, JSON.stringify({ error: { code, message: 'no' } }), {})).toMatchObject({
    message: 'no',
    ...failure,
  })
})
