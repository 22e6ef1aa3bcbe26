import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, setPrices } from '../../support/gateway.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()
const CODE = 'no_available_channel'
const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
/** An MP3. */
const FRAMES = Buffer.concat(Array(3).fill(Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc0]), Buffer.alloc(413)])))
const form = (field: 'file' | 'image', fields: Record<string, string>) => {
  const body = new FormData()
  body.set(field, new Blob([FRAMES]), 'a.mp3')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}
const openAi = { error: { type: 'gateway_error', code: CODE } }
const anthropic = { type: 'error', error: { type: 'overloaded_error' } }
const google = { error: { code: 503, status: 'UNAVAILABLE' } }

/** All paths of conversations and endpoints, with the shape of their errors. */
const CALLS: readonly { path: string; body: object; shape?: object }[] = [
  { path: '/v1/chat/completions', body: ask(MODEL) },
  { path: '/v1/chat/completions', body: ask(MODEL, { stream: true }) },
  { path: '/v1beta/openai/chat/completions', body: ask(MODEL) },
  { path: `/openai/deployments/${MODEL}/chat/completions?api-version=2024-10-21`, body: ask('') },
  { path: '/v1/completions', body: { model: MODEL, prompt: 'hello' } },
  { path: '/v1/fim/completions', body: { model: MODEL, prompt: 'hello' }, shape: {} },
  { path: '/v1/responses', body: { model: MODEL, input: 'hello' } },
  { path: '/v1/responses', body: { model: MODEL, input: 'hello', stream: true } },
  { path: '/v1/responses/compact', body: { model: MODEL, input: 'hello' } },
  { path: '/v1/responses/input_tokens', body: { model: MODEL, input: 'hello' } },
  { path: '/v1/messages', body: ask(MODEL, { max_tokens: 9 }), shape: anthropic },
  { path: '/v1/messages', body: ask(MODEL, { max_tokens: 9, stream: true }), shape: anthropic },
  { path: '/v1/messages/count_tokens', body: ask(MODEL), shape: anthropic },
  { path: `/v1beta/models/${MODEL}:generateContent`, body: { contents }, shape: google },
  { path: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`, body: { contents }, shape: google },
  { path: `/v1beta/models/${MODEL}:countTokens`, body: { contents }, shape: google },
  { path: `/v1beta/models/${MODEL}:embedContent`, body: { content: contents[0] }, shape: google },
  { path: `/v1beta/models/${MODEL}:predict`, body: { instances: [{ prompt: 'hello' }] }, shape: google },
  { path: '/v1/embeddings', body: { model: MODEL, input: 'hello' } },
  { path: '/v1/images/generations', body: { model: MODEL, prompt: 'hello' } },
  { path: '/v1/images/edits', body: form('image', { model: MODEL, prompt: 'hello' }) },
  { path: '/v1/images/variations', body: form('image', { model: MODEL }) },
  { path: '/v1/audio/speech', body: { model: MODEL, input: 'hello', voice: 'alloy' } },
  { path: '/v1/audio/transcriptions', body: form('file', { model: MODEL }) },
  { path: '/v1/audio/translations', body: form('file', { model: MODEL }) },
  { path: '/v1/moderations', body: { model: MODEL, input: 'hello' } },
  { path: '/v1/rerank', body: { model: MODEL, query: 'hello', documents: ['a'] } },
  {
    path: '/v2/rerank',
    body: { model: MODEL, query: 'hello', documents: ['a'] },
    shape: { message: expect.any(String) },
  },
  { path: '/v2/chat', body: ask(MODEL), shape: { message: expect.any(String) } },
  {
    path: '/v2/embed',
    body: { model: MODEL, texts: ['hello'], input_type: 'search_query' },
    shape: { message: expect.any(String) },
  },
  { path: '/api/chat', body: ask(MODEL, { stream: false }), shape: { error: expect.any(String) } },
  {
    path: '/api/generate',
    body: { model: MODEL, prompt: 'hello', stream: false },
    shape: { error: expect.any(String) },
  },
  { path: '/api/embed', body: { model: MODEL, input: 'hello' }, shape: { error: expect.any(String) } },
  { path: '/v1/realtime/client_secrets', body: { session: { type: 'realtime', model: MODEL } } },
  { path: '/v1/realtime/sessions', body: { model: MODEL } },
]

async function call(url: string, { path, body, shape = openAi }: (typeof CALLS)[number], key: string) {
  const isForm = body instanceof FormData
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
  const retryAfter = Number(reply.headers.get('retry-after'))
  const json = await reply.json()
  return { path, status: reply.status, waits: retryAfter > 0 && retryAfter <= 60, json, shape }
}

/** Reads the first event of a socket, or the status of its rejection. */
async function socket(url: string, key: string, first?: object) {
  const client = new WebSocket(url.replace('http', 'ws'), { headers: { authorization: `Bearer ${key}` } })
  const rejected = once(client, 'unexpected-response').then(([, response]) => ({ status: response.statusCode }))
  const heard = once(client, 'message').then(([data]) => JSON.parse(String(data)))
  if (first) client.once('open', () => client.send(JSON.stringify(first)))
  const result = await Promise.race([rejected, heard])
  client.terminate()
  return result
}

async function open(status: number) {
  const fixture = await openGateway()
  await setPrices(fixture)
  const { key } = await customer(fixture)
  const upstream = await startUpstream((exchange) => sendJson(exchange, { error: { message: 'broken' } }, 500))
  // Types that together serve all operations.
  const types = [1, 47, 24]
  const channels = types.map((type) =>
    fixture.channel({ type, base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, status }),
  )
  return { ...fixture, key, upstream, channels: await Promise.all(channels) }
}

const ALL_CALLS = CALLS.map((call) => [`${call.path} ${'stream' in call.body ? 'streamed' : ''}`, call] as const)

describe('a model whose channels are all disabled gives 503 and a time to retry', () => {
  test.each(ALL_CALLS)('at %s', async (_, wanted) => {
    const fixture = await open(2)
    const { shape, json, ...reply } = await call(fixture.url, wanted, fixture.key)
    expect({ ...reply, json }).toMatchObject({ path: wanted.path, status: 503, waits: true, json: shape })
    expect(fixture.upstream.seen).toEqual([])
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toEqual([])
  })

  test.each([
    ['/v1/models', {}, openAi],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, anthropic],
    ['/v1beta/models', {}, google],
  ] as const)('at %s/{model} with %j', async (path, headers, shape) => {
    const { url, key } = await open(2)
    const reply = await fetch(`${url}${path}/${MODEL}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
    expect({ status: reply.status, json: await reply.json() }).toMatchObject({ status: 503, json: shape })
    expect(reply.headers.get('retry-after')).toBe('30')
    const unknown = await fetch(`${url}${path}/no-such-model`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    expect(unknown.status).toBe(404)
  })

  test('at both websockets', async () => {
    const { url, key } = await open(2)
    const create = { type: 'response.create', model: MODEL, input: 'hello' }
    expect(await socket(`${url}/v1/responses`, key, create)).toMatchObject({
      type: 'error',
      status: 503,
      error: { code: CODE },
    })
    expect(await socket(`${url}/v1/realtime?model=${MODEL}`, key)).toMatchObject({ status: 503 })
  })

  test.each(['user_data', 'batch'])('at /v1/files for %s', async (purpose) => {
    const { url, key } = await open(2)
    const body = new FormData()
    const line = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body: ask(MODEL) }
    body.set('purpose', purpose)
    body.set('file', new Blob([JSON.stringify(line)]), 'a.jsonl')
    expect(await call(url, { path: '/v1/files', body }, key)).toMatchObject({ status: 503, waits: true, json: openAi })
  })

  test('at /v1/messages/batches', async () => {
    const fixture = await openGateway()
    await setPrices(fixture)
    const { key } = await customer(fixture)
    await fixture.channel({ type: 14, base_url: 'http://127.0.0.1:9', models: MODEL, key: CHANNEL_KEY, status: 2 })
    const body = { requests: [{ custom_id: '1', params: ask(MODEL, { max_tokens: 9 }) }] }
    const wanted = { path: '/v1/messages/batches', body, shape: anthropic }
    expect(await call(fixture.url, wanted, key)).toMatchObject({ status: 503, waits: true, json: anthropic })
  })

  test.each([
    ['/suno/submit/music', 'suno_music', 36, { prompt: 'hello' }, { code: CODE }],
    ['/mj/submit/imagine', 'mj_imagine', 2, { prompt: 'hello' }, { description: expect.stringContaining(CODE) }],
  ])('at %s', async (path, models, type, body, shape) => {
    const fixture = await openGateway()
    await fixture.toolkit.options.set(fixture.root, 'ModelPrice', JSON.stringify({ [models]: 0.1 }))
    const { key } = await customer(fixture)
    await fixture.channel({ type, models, base_url: 'http://127.0.0.1:9', key: CHANNEL_KEY, status: 2 })
    const reply = await call(fixture.url, { path, body, shape }, key)
    expect(reply).toMatchObject({ status: 503, json: shape })
  })
})

describe('a model whose channels are all set aside gives 503 and a time to retry', () => {
  test.each(ALL_CALLS.filter(([path]) => !/realtime|ount_?[tT]okens|input_tokens/.test(path)))(
    'at %s',
    async (_, wanted) => {
      const fixture = await open(1)
      // Ten failures of each channel open its circuit.
      let reply = await call(fixture.url, wanted, fixture.key)
      for (let turn = 0; turn < 40 && reply.status !== 503; turn++) reply = await call(fixture.url, wanted, fixture.key)
      expect(reply).toMatchObject({ status: 503, waits: true, json: wanted.shape ?? openAi })
      expect(fixture.upstream.seen.length).toBeLessThanOrEqual(30)
    },
  )
})
