import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import { anthropic } from '../../../../../server/relay/providers/anthropic/anthropic.ts'
import type { ProviderRequest } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const channel = liveChannel(14)
const MODEL = 'claude-sonnet-4-5'

function bodyText(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : String(body)
}

async function planFor(ask: Parameters<typeof askFor>[0], at = channel, context = contextWith()) {
  return anthropic.plan(askFor({ model: MODEL, requestedModel: MODEL, ...ask }), at, context)
}

function native(body: object, ask: Partial<Omit<ProviderRequest, 'conversation'>> = {}) {
  return planFor({ dialect: 'anthropic-messages', body: { model: MODEL, ...body }, ...ask })
}

describe('the address', () => {
  test.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['https://proxy.example/claude', 'https://proxy.example/claude/v1/messages'],
    ['https://proxy.example/v1', 'https://proxy.example/v1/messages'],
  ])('below %s is %s', async (baseUrl, url) => {
    expect((await planFor({}, liveChannel(14, { baseUrl }))).request.url).toBe(url)
  })

  test("has nothing of the client's query except the beta", async () => {
    expect((await native({}, { query: 'beta=true&key=sk-secret' })).request.url).toMatch(/\/v1\/messages\?beta=true$/)
    expect((await native({}, { query: 'key=sk-secret' })).request.url).toMatch(/\/v1\/messages$/)
  })
})

describe('headers', () => {
  test('contain the key and a version', async () => {
    const { headers } = (await planFor({ stream: true, headers: { 'openai-beta': 'x', 'x-other': 'y' } })).request
    expect(headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
      'x-api-key': channel.key,
    })
  })

  test("contain the client's version and betas", async () => {
    const headers = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a-1, b-2', 'idempotency-key': 'i' }
    expect((await planFor({ headers })).request.headers).toMatchObject({
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'a-1,b-2',
      'idempotency-key': 'i',
    })
  })

  test('contain a sign-in key as a bearer token, with its beta', async () => {
    const signedIn = liveChannel(14, { key: 'sk-ant-oat01-abc' })
    const { headers } = (await planFor({ headers: { 'anthropic-beta': 'a-1' } }, signedIn)).request
    expect(headers).toMatchObject({
      authorization: 'Bearer sk-ant-oat01-abc',
      'anthropic-beta': 'a-1,oauth-2025-04-20',
    })
    expect(headers).not.toHaveProperty('x-api-key')
  })
})

describe('a request in the same format', () => {
  test("is the client's own bytes, with any content", async () => {
    const raw = Buffer.from(`{ "model":"${MODEL}","max_tokens":9007199254740993,"new":{"a":1.0} }`)
    const plan = await native({}, { raw })
    expect(plan.request.body).toBe(raw)
    expect(plan).toMatchObject({ native: true, renamesModel: false })
  })

  test('is rewritten for a mapped model, and nothing else changes', async () => {
    const body = { model: 'asked', max_tokens: 5, thinking: { type: 'adaptive' }, later: [1] }
    const plan = await native(body, { requestedModel: 'asked' })
    expect(JSON.parse(bodyText(plan.request.body))).toEqual({ ...body, model: MODEL })
    expect(plan.renamesModel).toBe(true)
  })

  const SUFFIXED = 'claude-sonnet-4-5-thinking'
  const suffixed = async (body: object) => {
    const plan = await native({ model: SUFFIXED, ...body }, { model: SUFFIXED, requestedModel: SUFFIXED })
    expect(plan.renamesModel).toBe(true)
    return JSON.parse(bodyText(plan.request.body))
  }

  test('for a -thinking model enables thinking, and drops fields incompatible with it', async () => {
    const body = {
      max_tokens: 100,
      temperature: 0.2,
      top_p: 0.3,
      top_k: 4,
      messages: [{ role: 'user', content: 'Hi' }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    }
    expect(await suffixed(body)).toEqual({
      model: MODEL,
      max_tokens: 1280,
      messages: body.messages,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
  })

  test("for a -thinking model keeps the client's thinking settings", async () => {
    const body = { max_tokens: 100, temperature: 1, thinking: { type: 'disabled' } }
    expect(await suffixed(body)).toEqual({ model: MODEL, ...body })
  })

  test('for a -thinking model disables thinking if a turn with calls has none', async () => {
    const messages = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }]
    expect(await suffixed({ max_tokens: 2000, messages })).toEqual({ model: MODEL, max_tokens: 2000, messages })
  })
})

describe('a request in another format', () => {
  const conversation: Conversation = {
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [{ name: 'patch', custom: {} }],
    extras: {},
  }

  test('is translated, and so is its reply', async () => {
    const plan = await planFor({ conversation, stream: true })
    expect(JSON.parse(bodyText(plan.request.body))).toMatchObject({
      model: MODEL,
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      stream: true,
    })
    expect(plan.native).toBe(false)
    const content = [{ type: 'tool_use', id: 'a', name: 'patch', input: { input: '*** a' } }]
    expect(plan.reader?.whole({ content })).toContainEqual({ kind: 'arguments', call: 0, text: '*** a' })
  })

  test('for a -thinking model uses the model name without the suffix', async () => {
    const plan = await planFor({ conversation, model: 'claude-3-7-sonnet-20250219-thinking' })
    expect(JSON.parse(bodyText(plan.request.body))).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      thinking: { type: 'enabled' },
    })
  })

  test('includes images without a TLS address as bytes, and leaves the others to Anthropic', async () => {
    const images = ['http://a.example/1.png', 'https://a.example/2.png'].map((url) => ({
      kind: 'image' as const,
      media: { url },
    }))
    const requests: string[] = []
    const context = contextWith({
      download: async (url) => {
        requests.push(url)
        return { data: Buffer.from('iVBORw0KGgo=', 'base64'), mime: 'image/png' }
      },
    })
    const plan = await planFor(
      { conversation: { ...conversation, turns: [{ role: 'user', parts: images }] } },
      channel,
      context,
    )
    expect(requests).toEqual(['http://a.example/1.png'])
    expect(JSON.parse(bodyText(plan.request.body)).messages[0].content).toMatchObject([
      { source: { type: 'base64', media_type: 'image/png' } },
      { source: { type: 'url', url: 'https://a.example/2.png' } },
    ])
  })
})

test.each(['claude-2.1', 'claude-instant-1.2'])('%s is rejected, because it was retired', async (model) => {
  await expect(planFor({ model })).rejects.toMatchObject({
    code: 'OPERATION_UNSUPPORTED',
    params: { reason: expect.stringContaining(model) },
  })
})

describe('a failure', () => {
  const body = (type: string, message = 'No') => JSON.stringify({ type: 'error', error: { type, message } })
  test.each([
    [400, 'invalid_request_error', 'never'],
    [401, 'authentication_error', 'other-channel'],
    [403, 'permission_error', 'other-channel'],
    [404, 'not_found_error', 'other-channel'],
    [413, 'request_too_large', 'never'],
    [429, 'rate_limit_error', 'other-channel'],
    [500, 'api_error', 'other-channel'],
    [504, 'timeout_error', 'never'],
    [529, 'overloaded_error', 'other-channel'],
  ])('%i %s: retry %s', (status, type, retry) => {
    expect(anthropic.failure(status, body(type), {})).toMatchObject({ status, type, message: 'No', retry })
  })

  test.each([
    [400, body('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.')],
    [402, body('billing_error')],
  ])('%i of an empty account is recognized as one, and another channel is tried', (status, text) => {
    expect(anthropic.failure(status, text, {})).toMatchObject({
      status: 402,
      type: 'insufficient_quota',
      retry: 'other-channel',
    })
  })
})

describe('counting a prompt', () => {
  function counting(answer: { status?: number; body?: string }) {
    const sent: { url: string; body: unknown }[] = []
    const context = contextWith({
      call: async ({ url, body }) => {
        sent.push({ url, body: JSON.parse(bodyText(body)) })
        return { status: answer.status ?? 200, headers: {}, body: Buffer.from(answer.body ?? '{"input_tokens":0}') }
      },
    })
    return { context, sent }
  }
  const messages = [{ role: 'user', content: 'Hi' }]

  test('sends Anthropic the counted fields', async () => {
    const { context, sent } = counting({ body: '{"input_tokens":14}' })
    const body = { model: 'asked', max_tokens: 5, stream: true, temperature: 1, messages, system: 'Be kind' }
    const ask = askFor({ dialect: 'anthropic-messages', model: `${MODEL}-thinking`, body })
    expect(await anthropic.countTokens?.(ask, channel, context)).toBe(14)
    expect(sent).toEqual([
      {
        url: 'https://api.anthropic.com/v1/messages/count_tokens',
        body: { model: MODEL, messages, system: 'Be kind' },
      },
    ])
  })

  test('translates what is in another format', async () => {
    const { context, sent } = counting({})
    const conversation: Conversation = {
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
      tools: [{ name: 'look' }],
      extras: {},
    }
    expect(await anthropic.countTokens?.(askFor({ model: MODEL, conversation }), channel, context)).toBe(0)
    expect(sent[0]?.body).toEqual({
      model: MODEL,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
    })
  })

  test.each([{ status: 404, body: '{}' }, { body: 'no' }])('is done by the gateway after %j', async (answer) => {
    const ask = askFor({ dialect: 'anthropic-messages', model: MODEL, body: { messages } })
    expect(await anthropic.countTokens?.(ask, channel, counting(answer).context)).toBeUndefined()
  })
})
