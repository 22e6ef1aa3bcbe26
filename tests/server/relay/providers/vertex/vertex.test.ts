import { describe, expect, test } from 'vitest'
import type { LiveChannel } from '../../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../../core/input.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import type { Json } from '../../../../../server/relay/json.ts'
import { createFailure } from '../../../../../server/relay/providers/failure.ts'
import type { Plan, ProviderContext, UpstreamRequest } from '../../../../../server/relay/providers/provider.ts'
import { regionOf, vertexHostOf } from '../../../../../server/relay/providers/vertex/address.ts'
import { vertexClaude } from '../../../../../server/relay/providers/vertex/claude.ts'
import { vertex } from '../../../../../server/relay/providers/vertex/vertex.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { serviceAccountKey } from '../../../../support/service-account.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const VERTEX = 41
const HI: Conversation = { turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }], tools: [], extras: {} }
const PARENT = 'projects/my-project/locations/us-central1'
const HOST = 'https://us-central1-aiplatform.googleapis.com'

const channelWith = (fields: Partial<LiveChannel> = {}) =>
  liveChannel(VERTEX, { key: serviceAccountKey(), other: 'us-central1', baseUrl: '', ...fields })
const contextWithToken = (more: Partial<ProviderContext> = {}) =>
  contextWith({ credential: async () => 'ya29.token', ...more })
const plan = async (
  ask: Parameters<typeof askFor>[0],
  channel: Partial<LiveChannel> = {},
  context = contextWithToken(),
): Promise<Plan> =>
  vertex.plan(askFor({ model: 'gemini-2.5-flash', conversation: HI, ...ask }), channelWith(channel), context)
const jsonOf = ({ body }: UpstreamRequest): Json => parseObject(String(body)) ?? {}

describe('regions', () => {
  test.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
    ['global', 'https://aiplatform.googleapis.com'],
    ['us', 'https://aiplatform.us.rep.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
    ['x.evil.example/', 'https://x.evil.example%2F-aiplatform.googleapis.com'],
  ])('%s is served by %s', (region, host) => {
    expect(vertexHostOf(region)).toBe(host)
  })

  test.each([
    ['us-east5', 'us-east5'],
    [' us-east5 ', 'us-east5'],
    ['{"asked":"a","upstream":"b","default":"c"}', 'a'],
    ['{"upstream":"b","default":"c"}', 'b'],
    ['{"default":"c"}', 'c'],
  ])('%s puts the model into %s', (other, region) => {
    expect(regionOf(channelWith({ other }), { requestedModel: 'asked', model: 'upstream' })).toBe(region)
  })

  test.each(['', ' ', '{}', '{"constructor":"x"}'])('%j is not a region', (other) => {
    expect(() => regionOf(channelWith({ other }), { requestedModel: 'asked', model: 'upstream' })).toThrow(
      /CHANNEL_MISCONFIGURED/,
    )
  })
})

describe("Google's own models", () => {
  test('get no ids of calls, which only the Gemini API knows', async () => {
    const turns: Conversation['turns'] = [
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ kind: 'call', id: 'call_1', name: 'f', arguments: '{}' }] },
      { role: 'user', parts: [{ kind: 'result', callId: 'call_1', name: 'f', parts: [{ kind: 'text', text: 'r' }] }] },
    ]
    const { request } = await plan({ conversation: { ...HI, turns } })
    expect(JSON.stringify(jsonOf(request))).toContain('functionCall')
    expect(JSON.stringify(jsonOf(request))).not.toContain('call_1')
  })

  test('are called in their project and region, with an access token', async () => {
    const { request, credential } = await plan({})
    expect(request.url).toBe(`${HOST}/v1/${PARENT}/publishers/google/models/gemini-2.5-flash:generateContent`)
    expect(request.headers.authorization).toBe('Bearer ya29.token')
    expect(jsonOf(request)).toMatchObject({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
    expect(credential?.isRejectedBy(createFailure(401, 'expired'))).toBe(true)
    expect(credential?.isRejectedBy(createFailure(403, 'no'))).toBe(false)
  })

  test('stream as events; previews use the beta version', async () => {
    const { request } = await plan({ stream: true, model: 'gemini-3-pro-preview' }, { other: 'global' })
    expect(request.url).toBe(
      'https://aiplatform.googleapis.com/v1beta1/projects/my-project/locations/global/publishers/google/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
    )
  })

  test("use the operator's own address if set", async () => {
    const { request } = await plan({}, { baseUrl: 'https://proxy.example/google' })
    expect(request.url).toMatch(/^https:\/\/proxy\.example\/google\/v1\/projects\/my-project\//)
  })

  test('get the bytes of a client of their own format, with the roles required here', async () => {
    const good = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
    const ask = askFor({ dialect: 'gemini', body: good, model: 'gemini-2.5-flash', requestedModel: 'gemini-2.5-flash' })
    const { request, native, renamesModel } = await vertex.plan(ask, channelWith(), contextWithToken())
    expect(request.body).toBe(ask.raw)
    expect({ native, renamesModel }).toEqual({ native: true, renamesModel: false })
    const bare = await plan({ dialect: 'gemini', body: { contents: { parts: [{ text: 'hi' }] } } })
    expect(jsonOf(bare.request)).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
  })

  test('are called with an API key in express mode, which has no region', async () => {
    const { request, credential } = await plan({}, { key: 'AQ.Key', other: '' })
    expect(request.url).toBe(
      'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:generateContent',
    )
    expect(request.headers).toMatchObject({ 'x-goog-api-key': 'AQ.Key' })
    expect(request.headers).not.toHaveProperty('authorization')
    expect(credential).toBeUndefined()
  })
})

describe('Claude', () => {
  test.each([
    ['claude-3-sonnet-20240229', 'claude-3-sonnet@20240229'],
    ['claude-3-opus-20240229', 'claude-3-opus@20240229'],
    ['claude-3-haiku-20240307', 'claude-3-haiku@20240307'],
    ['claude-3-5-sonnet-20240620', 'claude-3-5-sonnet@20240620'],
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-v2@20241022'],
    ['claude-3-5-haiku-20241022', 'claude-3-5-haiku@20241022'],
    ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet@20250219'],
    ['claude-3-7-sonnet-20250219-thinking', 'claude-3-7-sonnet@20250219'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4@20250514'],
  ])('%s is %s', (name, known) => {
    expect(vertexClaude(name)).toBe(known)
  })

  const claude = 'claude-3-5-sonnet-20241022'

  test('has its model in the address and its version in the body', async () => {
    const { request, native, reader } = await plan({
      model: claude,
      stream: true,
      headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b' },
    })
    expect(request.url).toBe(
      `${HOST}/v1/${PARENT}/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:streamRawPredict`,
    )
    expect(jsonOf(request)).toMatchObject({
      anthropic_version: 'vertex-2023-10-16',
      stream: true,
      max_tokens: 4096,
      messages: [{ role: 'user' }],
    })
    expect(jsonOf(request)).not.toHaveProperty('model')
    expect(request.headers).toMatchObject({ 'anthropic-beta': 'b' })
    expect(request.headers).not.toHaveProperty('anthropic-version')
    expect(native).toBe(false)
    const wire = sse(
      ['vertex_event', { type: 'vertex_event' }],
      ['message_start', { type: 'message_start', message: { id: 'msg_1', model: 'm' } }],
    )
    const text = [
      'content_block_delta',
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
    ]
    expect(reader && collect(readStream(reader, `${wire}data: : keepalive\n\n${sse(text)}`)).choices[0]?.text).toBe('a')
  })

  test('gets the content of a client of its own format, with pictures as bytes', async () => {
    const source = { type: 'url', url: 'https://x.example/a.png' }
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }
    const body = {
      model: claude,
      max_tokens: 5,
      vendor: 1,
      messages: [{ role: 'user', content: [{ type: 'image', source }, result] }],
    }
    const context = contextWithToken({ download: async () => ({ data: Buffer.from('png'), mime: 'image/png' }) })
    const { request, native } = await plan({ dialect: 'anthropic-messages', model: claude, body }, {}, context)
    const inline = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } }
    expect(native).toBe(true)
    expect(request.url).toMatch(/:rawPredict$/)
    expect(jsonOf(request)).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 5,
      vendor: 1,
      messages: [{ role: 'user', content: [inline, { ...result, content: [inline] }] }],
    })
  })

  test('requires more than an API key', async () => {
    await expect(plan({ model: claude }, { key: 'AQ.Key' })).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
  })
})

describe('open models', () => {
  const llama = 'meta/llama3-405b-instruct-maas'

  test.each(['openai-chat', 'gemini', 'anthropic-messages'] as const)(
    "are called in OpenAI's format by clients of %s",
    async (dialect) => {
      const body = dialect === 'openai-chat' ? { model: llama, messages: [{ role: 'user', content: 'hi' }] } : {}
      const { request, native } = await plan({ model: llama, dialect, body })
      expect(request.url).toBe(`${HOST}/v1beta1/${PARENT}/endpoints/openapi/chat/completions`)
      expect(request.headers.authorization).toBe('Bearer ya29.token')
      expect(jsonOf(request)).toMatchObject({ model: llama, messages: [{ role: 'user', content: 'hi' }] })
      expect(native).toBe(dialect === 'openai-chat')
    },
  )
})

describe('embeddings', () => {
  const ask = { operation: 'embeddings', requestedModel: 'emb' } as const
  const prediction = (value: number, tokens: number) => ({
    embeddings: { values: [value], statistics: { token_count: tokens } },
  })

  test('are one prediction for all texts, with the counted tokens', async () => {
    const { request, convert, complete } = await plan({
      ...ask,
      model: 'text-embedding-005',
      body: { input: ['a', 'b'], dimensions: 2 },
    })
    expect(request.url).toBe(`${HOST}/v1/${PARENT}/publishers/google/models/text-embedding-005:predict`)
    expect(jsonOf(request)).toEqual({
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 2 },
    })
    expect(complete).toBeUndefined()
    expect(convert?.({ predictions: [prediction(1, 3), prediction(2, 4)] })).toEqual({
      object: 'list',
      model: 'emb',
      data: [
        { object: 'embedding', index: 0, embedding: [1] },
        { object: 'embedding', index: 1, embedding: [2] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  })

  test('of Gemini are requested for one text at a time', async () => {
    const requests: string[] = []
    const context = contextWithToken({
      call: async (request) => {
        requests.push(String(request.body))
        return {
          status: 200,
          headers: {},
          body: Buffer.from(JSON.stringify({ predictions: [prediction(requests.length + 1, 1)] })),
        }
      },
    })
    const { request, complete, convert } = await plan(
      { ...ask, model: 'gemini-embedding-001', body: { input: ['a', 'b', 'c'] } },
      {},
      context,
    )
    expect(jsonOf(request)).toEqual({ instances: [{ content: 'a' }] })
    const all = await complete?.({ predictions: [prediction(1, 1)] })
    expect(requests).toEqual(['{"instances":[{"content":"b"}]}', '{"instances":[{"content":"c"}]}'])
    expect(all && convert?.(all)).toMatchObject({
      data: [{ embedding: [1] }, { embedding: [2] }, { embedding: [3] }],
      usage: { prompt_tokens: 3 },
    })
  })
})

test('Imagen is called like in the Gemini API', async () => {
  const { request, convert } = await plan({
    operation: 'images',
    model: 'imagen-3.0-generate-002',
    body: { prompt: 'a cat', n: 1 },
  })
  expect(request.url).toBe(`${HOST}/v1/${PARENT}/publishers/google/models/imagen-3.0-generate-002:predict`)
  expect(jsonOf(request)).toMatchObject({ instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 1 } })
  expect(convert?.({ predictions: [{ bytesBase64Encoded: 'AAAA' }] })).toMatchObject({ data: [{ b64_json: 'AAAA' }] })
})

test('other operations are rejected before a token is requested', async () => {
  const context = contextWith({ credential: async () => Promise.reject(new Error('asked')) })
  await expect(plan({ operation: 'speech' }, {}, context)).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
})

describe('token counting', () => {
  async function counted(ask: Parameters<typeof askFor>[0], answer: Json) {
    const requests: UpstreamRequest[] = []
    const context = contextWithToken({
      call: async (request) => {
        requests.push(request)
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
      },
    })
    const tokens = await vertex.countTokens?.(askFor({ conversation: HI, ...ask }), channelWith(), context)
    return { tokens, request: requests[0] }
  }

  test('for Gemini', async () => {
    const { tokens, request } = await counted({ model: 'gemini-2.5-flash' }, { totalTokens: 7 })
    expect(tokens).toBe(7)
    expect(request?.url).toMatch(/publishers\/google\/models\/gemini-2\.5-flash:countTokens$/)
    expect(request && Object.keys(jsonOf(request))).toEqual(['contents'])
  })

  test('for a client of its own format, also of a request inside', async () => {
    const inner = { system_instruction: 's', contents: [{ parts: [{ text: 'a' }] }], safetySettings: [] }
    const body = { generateContentRequest: inner }
    const { request } = await counted({ model: 'gemini-2.5-flash', dialect: 'gemini', body }, { totalTokens: 7 })
    expect(request && jsonOf(request)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      systemInstruction: 's',
    })
  })

  test('for Claude, whose counter needs the name in the body', async () => {
    const { tokens, request } = await counted({ model: 'claude-3-opus-20240229' }, { input_tokens: 9 })
    expect(tokens).toBe(9)
    expect(request?.url).toMatch(/publishers\/anthropic\/models\/count-tokens:rawPredict$/)
    expect(request && jsonOf(request)).toMatchObject({ model: 'claude-3-opus@20240229', messages: [{ role: 'user' }] })
    expect(request && jsonOf(request)).not.toHaveProperty('max_tokens')
  })

  test('for open models is done by the gateway', async () => {
    expect(await counted({ model: 'meta/llama3' }, {})).toEqual({ tokens: undefined, request: undefined })
  })
})
