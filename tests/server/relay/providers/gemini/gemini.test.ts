import { describe, expect, test } from 'vitest'
import type { LiveChannel } from '../../../../../core/channels/routing/directory.ts'
import { parseObject } from '../../../../../core/input.ts'
import { gemini } from '../../../../../server/relay/providers/gemini/gemini.ts'
import { GEMINI_SETTINGS } from '../../../../../server/relay/providers/gemini/settings.ts'
import type { Plan, ProviderRequest, UpstreamRequest } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const GEMINI = 24
const BASE = 'https://generativelanguage.googleapis.com'
const plan = async (ask: Parameters<typeof askFor>[0], channel: Partial<LiveChannel> = {}): Promise<Plan> =>
  gemini.plan(askFor({ model: 'gemini-2.5-flash', ...ask }), liveChannel(GEMINI, channel), contextWith())
const jsonOf = ({ body }: UpstreamRequest) => parseObject(String(body)) ?? {}

describe('addresses', () => {
  test.each<[Partial<Pick<ProviderRequest, 'model' | 'stream'>>, Partial<LiveChannel>, string]>([
    [{}, {}, `${BASE}/v1beta/models/gemini-2.5-flash:generateContent`],
    [{ stream: true }, {}, `${BASE}/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse`],
    [{}, { other: 'v1' }, `${BASE}/v1/models/gemini-2.5-flash:generateContent`],
    [{ model: 'gemini-1.0-pro' }, { other: 'v1beta' }, `${BASE}/v1/models/gemini-1.0-pro:generateContent`],
    [{ model: 'models/gemini-x' }, {}, `${BASE}/v1beta/models/gemini-x:generateContent`],
    [{ model: 'tunedModels/mine' }, {}, `${BASE}/v1beta/tunedModels/mine:generateContent`],
    [{ model: 'a/../b?c' }, {}, `${BASE}/v1beta/models/a%2F..%2Fb%3Fc:generateContent`],
    [{ model: 'gemini-2.5-pro-thinking-2048' }, {}, `${BASE}/v1beta/models/gemini-2.5-pro:generateContent`],
    [
      { model: 'gemini-2.0-flash-thinking-exp' },
      {},
      `${BASE}/v1beta/models/gemini-2.0-flash-thinking-exp:generateContent`,
    ],
    [
      {},
      { baseUrl: 'https://proxy.example/v1beta' },
      'https://proxy.example/v1beta/models/gemini-2.5-flash:generateContent',
    ],
  ])('%j at %j: %s', async (ask, channel, url) => {
    expect((await plan(ask, channel)).request.url).toBe(url)
  })

  test('the key is in a header, trimmed, and never in the address', async () => {
    const { request } = await plan({ headers: { 'idempotency-key': 'p' } }, { key: ' AIzaKey\n' })
    expect(request.headers).toMatchObject({ 'x-goog-api-key': 'AIzaKey', 'idempotency-key': 'p' })
    expect(request.url).not.toContain('AIza')
  })

  test('versions set by the operator override those of the channel', async () => {
    const settings = { ...GEMINI_SETTINGS, versions: { 'gemini-x': 'v1alpha', other: 'v1' } }
    const { request } = await gemini.plan(
      askFor({ model: 'gemini-x' }),
      liveChannel(GEMINI, { other: 'v1' }),
      contextWith({ gemini: settings }),
    )
    expect(request.url).toContain('/v1alpha/')
  })
})

describe("a client of Gemini's own format", () => {
  const body = {
    contents: [{ parts: [{ text: 'hi' }] }],
    vendorField: 1,
    generation_config: { thinking_config: { thinking_budget: 9 } },
  }

  test('has its bytes forwarded unchanged, and reads the reply unchanged', async () => {
    const ask = askFor({ dialect: 'gemini', body, model: 'gemini-2.5-flash', requestedModel: 'gemini-2.5-flash' })
    const { request, native, renamesModel } = await gemini.plan(ask, liveChannel(GEMINI), contextWith())
    expect(request.body).toBe(ask.raw)
    expect({ native, renamesModel }).toEqual({ native: true, renamesModel: false })
  })

  test('reads the requested model name if it is mapped', async () => {
    expect(await plan({ dialect: 'gemini', body, requestedModel: 'alias' })).toMatchObject({
      native: true,
      renamesModel: true,
    })
  })

  test.each([
    ['gemini-2.5-flash-thinking-2048', { thinkingBudget: 2048, includeThoughts: true }],
    ['gemini-2.5-flash-thinking', { thinkingBudget: -1, includeThoughts: true }],
    ['gemini-2.5-flash-nothinking', { thinkingBudget: 0 }],
    ['gemini-3-flash-nothinking', { thinkingLevel: 'MINIMAL' }],
  ])("%s requests %j instead of the body's setting", async (model, thinkingConfig) => {
    const { request } = await plan({ dialect: 'gemini', body, model })
    expect(jsonOf(request)).toMatchObject({ contents: body.contents, generationConfig: { thinkingConfig } })
    expect(jsonOf(request)).not.toHaveProperty('generation_config')
  })
})

test('a client of another format has its request translated, suffix included', async () => {
  const conversation = {
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
    tools: [],
    extras: {},
  } as const
  const planned = await plan({ conversation, model: 'gemini-2.5-flash-thinking-1024' })
  expect(planned.native).toBeFalsy()
  expect(jsonOf(planned.request)).toMatchObject({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { thinkingConfig: { thinkingBudget: 1024 } },
  })
})

describe('token counting', () => {
  const counting = (status: number, answer: string) => {
    const requests: UpstreamRequest[] = []
    const context = contextWith({
      call: async (request) => {
        requests.push(request)
        return { status, headers: {}, body: Buffer.from(answer) }
      },
    })
    return { requests, context }
  }

  test('is requested from the upstream, with the whole request', async () => {
    const { requests, context } = counting(200, '{"totalTokens":7}')
    const conversation = {
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [],
      extras: {},
    } as const
    const ask = askFor({ model: 'gemini-2.5-flash', conversation })
    expect(await gemini.countTokens?.(ask, liveChannel(GEMINI), context)).toBe(7)
    expect(requests[0]?.url).toBe(`${BASE}/v1beta/models/gemini-2.5-flash:countTokens`)
    expect(requests[0] && jsonOf(requests[0])).toMatchObject({
      generateContentRequest: { model: 'models/gemini-2.5-flash', contents: [{ parts: [{ text: 'hi' }] }] },
    })
  })

  test('is done by the gateway if the upstream rejects it', async () => {
    const { context } = counting(429, '{}')
    expect(
      await gemini.countTokens?.(askFor({ model: 'gemini-2.5-flash' }), liveChannel(GEMINI), context),
    ).toBeUndefined()
  })
})

describe('embeddings', () => {
  const ask = { operation: 'embeddings', model: 'gemini-embedding-001', requestedModel: 'emb' } as const

  test('one text is embedContent', async () => {
    const { request, convert } = await plan({
      ...ask,
      body: { input: 'a', dimensions: 2, task_type: 'RETRIEVAL_QUERY' },
    })
    expect(request.url).toBe(`${BASE}/v1beta/models/gemini-embedding-001:embedContent`)
    expect(jsonOf(request)).toEqual({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text: 'a' }] },
      taskType: 'RETRIEVAL_QUERY',
      outputDimensionality: 2,
    })
    expect(convert?.({ embedding: { values: [0.5, -1] } })).toEqual({
      object: 'list',
      model: 'emb',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }],
    })
  })

  test('several are batchEmbedContents, with vectors in order', async () => {
    const { request, convert } = await plan({ ...ask, body: { input: ['a', 'b'] } })
    expect(request.url).toMatch(/:batchEmbedContents$/)
    expect(jsonOf(request)).toMatchObject({
      requests: [{ content: { parts: [{ text: 'a' }] } }, { content: { parts: [{ text: 'b' }] } }],
    })
    const reply = convert?.({ embeddings: [{ values: [1] }, { values: [2] }] })
    expect(reply?.data).toMatchObject([
      { index: 0, embedding: [1] },
      { index: 1, embedding: [2] },
    ])
  })

  test('are base64 on request', async () => {
    const { convert } = await plan({ ...ask, body: { input: 'a', encoding_format: 'base64' } })
    expect(convert?.({ embedding: { values: [0.5, -1, 2.25] } })).toMatchObject({
      data: [{ embedding: 'AAAAPwAAgL8AABBA' }],
    })
  })

  test('of tokens are rejected', async () => {
    await expect(plan({ ...ask, body: { input: [[1, 2]] } })).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
  })
})

describe('Imagen', () => {
  const ask = { operation: 'images', model: 'imagen-3.0-generate-002' } as const

  test.each([
    [undefined, undefined],
    ['auto', undefined],
    ['1024x1024', '1:1'],
    ['1024x1792', '9:16'],
    ['1792x1024', '16:9'],
    ['1536x1024', '4:3'],
    ['1024x1536', '3:4'],
    ['16:9', '16:9'],
  ])('size %s is ratio %s', async (size, aspectRatio) => {
    const { request } = await plan({ ...ask, body: { prompt: 'a cat', n: 2, size } })
    expect(request.url).toBe(`${BASE}/v1beta/models/imagen-3.0-generate-002:predict`)
    expect(jsonOf(request)).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { sampleCount: 2, ...(aspectRatio && { aspectRatio }), personGeneration: 'allow_adult' },
    })
  })

  test('newer models support 3:2', async () => {
    const { request } = await plan({ ...ask, model: 'imagen-5', body: { prompt: 'a cat', size: '1536x1024' } })
    expect(jsonOf(request)).toMatchObject({ parameters: { aspectRatio: '3:2' } })
  })

  test('one picture is requested by default', async () => {
    const { request } = await plan({ ...ask, body: { prompt: 'a cat' } })
    expect(jsonOf(request)).toMatchObject({ parameters: { sampleCount: 1 } })
  })

  test('pictures are base64, and count for 258 tokens each', async () => {
    const { convert } = await plan({ ...ask, body: { prompt: 'a cat' } })
    const predictions = [{ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }, { raiFilteredReason: 'no' }]
    expect(convert?.({ predictions })).toEqual({
      created: 1_700_000_000,
      data: [{ b64_json: 'AAAA' }],
      usage: { prompt_tokens: 258, completion_tokens: 0, total_tokens: 258 },
    })
    expect(() => convert?.({ predictions: [{ raiFilteredReason: 'A person.' }] })).toThrow(/A person\./)
  })

  test.each([[{ prompt: '' }], [{ prompt: 'a', size: '7x7' }]])('%j is rejected', async (body) => {
    await expect(plan({ ...ask, body })).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
  })

  test("Gemini's own models are called in a chat", async () => {
    await expect(plan({ ...ask, model: 'gemini-2.5-flash-image', body: { prompt: 'a' } })).rejects.toMatchObject({
      code: 'OPERATION_UNSUPPORTED',
    })
  })
})

describe('errors', () => {
  const failure = (status: number, error: object) => gemini.failure(status, JSON.stringify({ error }), {})
  const badKey = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]

  test.each([
    [400, { message: 'm', status: 'INVALID_ARGUMENT' }, { code: 'INVALID_ARGUMENT', retry: 'never' }],
    [
      400,
      { message: 'm', status: 'INVALID_ARGUMENT', details: badKey },
      { code: 'invalid_api_key', type: 'authentication_error', retry: 'other-channel' },
    ],
    [400, { message: 'm', status: 'FAILED_PRECONDITION' }, { code: 'FAILED_PRECONDITION', retry: 'other-channel' }],
    [403, { message: 'm', status: 'PERMISSION_DENIED' }, { code: 'PERMISSION_DENIED', retry: 'other-channel' }],
    [404, { message: 'm', status: 'NOT_FOUND' }, { code: 'NOT_FOUND', retry: 'other-channel' }],
    [429, { message: 'm', status: 'RESOURCE_EXHAUSTED' }, { code: 'RESOURCE_EXHAUSTED', retry: 'other-channel' }],
    [500, { message: 'm', status: 'INTERNAL' }, { code: 'INTERNAL', retry: 'other-channel' }],
    [503, { message: 'm', status: 'UNAVAILABLE' }, { code: 'UNAVAILABLE', retry: 'other-channel' }],
    [504, { message: 'm', status: 'DEADLINE_EXCEEDED' }, { code: 'DEADLINE_EXCEEDED', retry: 'never' }],
  ])('%i %j is %j', (status, error, wanted) => {
    expect(failure(status, error)).toMatchObject({ status, message: 'm', ...wanted })
  })

  test('an error in an array is unwrapped', () => {
    const body = JSON.stringify([{ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }])
    expect(gemini.failure(429, body, {})).toMatchObject({ message: 'Slow down', code: 'RESOURCE_EXHAUSTED' })
  })

  test.each(['', '<html>', '[]', '{"error":"text"}'])('the body %j causes no exception', (body) => {
    expect(gemini.failure(502, body, {})).toMatchObject({ status: 502, retry: 'other-channel' })
  })
})

test('other operations are rejected', () => {
  expect(() => gemini.plan(askFor({ operation: 'rerank' }), liveChannel(GEMINI), contextWith())).toThrow(
    /OPERATION_UNSUPPORTED/,
  )
})
