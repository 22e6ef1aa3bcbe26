import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import type { Plan, ProviderRequest, ReplyReader } from '../../../../../server/relay/providers/provider.ts'
import { xunfei } from '../../../../../server/relay/providers/xunfei/xunfei.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const KEY = 'app1|the-secret|the-key'
const hi: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }
const messages = [{ role: 'user', content: 'hi' }]

async function plan(
  fields: Omit<Partial<ProviderRequest>, 'conversation'> & { conversation?: Conversation },
  channel: Parameters<typeof liveChannel>[1] = {},
): Promise<Plan> {
  const ask = askFor({ model: 'SparkDesk-v3.5', conversation: hi, body: { model: 'm', messages }, ...fields })
  return xunfei.plan(ask, liveChannel(18, { key: KEY, ...channel }), contextWith())
}

describe('Spark with a key of three parts', () => {
  test('opens a signed websocket and sends all in one frame', async () => {
    const { request, framing, native, alwaysStreams } = await plan({})
    expect(request.url).toMatch(/^wss:\/\/spark-api\.xf-yun\.com\/v3\.5\/chat\?host=spark-api\.xf-yun\.com&date=/)
    expect(JSON.parse(String(request.body))).toMatchObject({
      header: { app_id: 'app1' },
      parameter: { chat: { domain: 'generalv3.5' } },
    })
    expect([framing, alwaysStreams]).toEqual(['ndjson', true])
    expect(native).toBeFalsy()
    expect(JSON.stringify(request)).not.toContain('the-secret')
  })

  test.each([
    ['http://127.0.0.1:9', 'ws://127.0.0.1:9/v3.5/chat?'],
    ['https://spark.example', 'wss://spark.example/v3.5/chat?'],
    ['ws://127.0.0.1:9', 'ws://127.0.0.1:9/v3.5/chat?'],
  ])('the channel’s own address %s replaces the host', async (baseUrl, beginning) => {
    expect((await plan({}, { baseUrl })).request.url.startsWith(beginning)).toBe(true)
  })

  test('uses HTTP if tools are offered or were called', async () => {
    const offered = await plan({ conversation: { ...hi, tools: [{ name: 'get' }] } })
    const used = await plan({
      conversation: {
        ...hi,
        turns: [{ role: 'assistant', parts: [{ kind: 'call', id: '1', name: 'get', arguments: '' }] }],
      },
    })
    for (const { request } of [offered, used]) {
      expect(request.url).toBe('https://spark-api-open.xf-yun.com/v1/chat/completions')
      expect(request.headers.authorization).toBe('Bearer the-key:the-secret')
    }
  })

  test('calls X1 over HTTP', async () => {
    expect((await plan({ model: 'x1' })).request.url).toBe('https://spark-api-open.xf-yun.com/v2/chat/completions')
  })
})

describe('Spark over HTTP', () => {
  test.each([
    ['password', 'Bearer password'],
    ['the-key|the-secret', 'Bearer the-key:the-secret'],
    [' the-key:the-secret ', 'Bearer the-key:the-secret'],
  ])('the key %j is sent as %j', async (key, authorization) => {
    expect((await plan({}, { key })).request.headers.authorization).toBe(authorization)
  })

  test('a client’s own body is forwarded, with the vendor’s names of model and fields', async () => {
    const body = {
      model: 'SparkDesk-v4.0',
      messages: [{ role: 'developer', content: 'Be brief.' }, ...messages],
      max_completion_tokens: 5,
      tool_choice: 'auto',
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true },
      enable_search: true,
    }
    const { request, native } = await plan({ model: 'SparkDesk-v4.0', body, stream: true }, { key: 'password' })
    expect(JSON.parse(String(request.body))).toEqual({
      model: '4.0Ultra',
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
      max_tokens: 5,
      stream: true,
      enable_search: true,
    })
    // Its replies are not what clients of OpenAI's format can read.
    expect(native).toBeFalsy()
  })

  test('another dialect’s conversation is sent as chat completions', async () => {
    const { request } = await plan({ dialect: 'anthropic-messages', body: {} }, { key: 'password' })
    expect(JSON.parse(String(request.body))).toEqual({ model: 'generalv3.5', messages, stream: false })
  })

  test('a channel’s own address is used, with any scheme', async () => {
    const { request } = await plan({}, { key: 'password', baseUrl: 'ws://127.0.0.1:9' })
    expect(request.url).toBe('http://127.0.0.1:9/v1/chat/completions')
  })
})

describe('replies of Spark over HTTP', () => {
  const reader = async () => (await plan({}, { key: 'password' })).reader as ReplyReader

  test('one call that is no list and has no index is read, whole and in chunks', async () => {
    const tool_calls = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{"a":1}' } }
    const message = { role: 'assistant', content: '', tool_calls }
    const rest = { code: 0, message: 'Success', sid: 'x' }
    const whole = (await reader()).whole({ ...rest, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    const stream = readStream(
      await reader(),
      sse(
        { ...rest, choices: [{ index: 0, delta: message }] },
        { ...rest, choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
        '[DONE]',
      ),
    )
    for (const events of [whole, stream]) {
      expect(collect(events).choices[0]).toMatchObject({
        stop: 'tools',
        calls: [{ id: 'c1', name: 'get', arguments: '{"a":1}' }],
      })
      expect(events.at(-1)).toEqual({ kind: 'end' })
    }
  })

  test('a code alone is an error, with status 200 or as an event', async () => {
    const body = { code: 11202, message: 'qps', sid: 'x' }
    const error = [{ kind: 'error', error: expect.objectContaining({ code: '11202', status: 429 }) }]
    expect((await reader()).whole(body)).toEqual(error)
    expect(readStream(await reader(), sse(body))).toEqual(error)
    expect((await reader()).whole({ error: { message: 'qps', code: '11202', type: 'api_error' } })).toEqual(error)
  })
})

test('Spark does not support embeddings', async () => {
  await expect(plan({ operation: 'embeddings' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
})

test.each([
  [
    401,
    '{"message":"HMAC signature does not match"}',
    { status: 401, retry: 'other-channel', message: 'HMAC signature does not match' },
  ],
  [500, '{"code":10013,"message":"no","sid":"x"}', { status: 500, retry: 'never', code: '10013' }],
  [403, '{"error":{"code":"11200","message":"no licence"}}', { status: 403, type: 'authentication_error' }],
])('an upgrade or a call rejected with %i and %s is a failure', (status, body, failure) => {
  expect(xunfei.failure(status, body, {})).toMatchObject(failure)
})
