import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { isReplyError, replyError } from '../../../server/relay/providers/reply-error.ts'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, MODEL, setPrices } from '../../support/gateway.ts'
import { completion, type Exchange, event, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()
const TEXT = 'out of order'

/** Forms in which vendors, hubs and proxies report an error with status 200. */
const FORMS: readonly Record<string, unknown>[] = [
  { error: { message: TEXT, type: 'server_error', code: 503 } },
  { error: TEXT },
  { id: 'reply-1', error: TEXT },
  { choices: [], data: [], results: [], error: { message: TEXT } },
  { type: 'error', error: { type: 'api_error', message: TEXT } },
  { object: 'error', message: TEXT, code: 50_000 },
  { code: 50_000, message: TEXT },
  { code: 'InternalError', message: TEXT, request_id: 'r1' },
  { code: 1234, msg: TEXT, data: null },
  { success: false, message: TEXT },
  { success: false, code: 20_012, msg: TEXT, data: null },
  { base_resp: { status_code: 1013, status_msg: TEXT } },
  { choices: null, usage: null, base_resp: { status_code: 1013, status_msg: TEXT } },
  { error_code: 336_100, error_msg: TEXT, id: 'as-1' },
  { errcode: 7, errmsg: TEXT },
  { Response: { Error: { Code: 'InternalError', Message: TEXT }, RequestId: 'r1' } },
  { header: { code: 10_013, message: TEXT, sid: 's1' } },
  { errors: [{ code: 7009, message: TEXT }], result: null, success: false },
  { status: 'error', message: TEXT },
  { status: 500, message: TEXT },
  { detail: TEXT },
  { detail: [{ msg: TEXT }] },
  { id: 'x1', choices: [], code: 500, message: TEXT },
]

interface Row {
  name: string
  channel: { type: number; setting?: string; key?: string; other?: string }
  path: string
  body: Record<string, unknown>
  /** Whether the request may ask for a stream, and its path then. */
  streams?: boolean
  streamPath?: string
}

const only = (dialect: string) => JSON.stringify({ dialects: [dialect] })
const CHAT = { path: '/v1/chat/completions', body: ask(MODEL), streams: true }
const MESSAGES = { path: '/v1/messages', body: ask(MODEL, { max_tokens: 50 }), streams: true }
const RESPONSES = { path: '/v1/responses', body: { model: MODEL, input: 'hello' }, streams: true }
const GEMINI = {
  path: `/v1beta/models/${MODEL}:generateContent`,
  streamPath: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
  body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  streams: true,
}
const EMBEDDINGS = { path: '/v1/embeddings', body: { model: MODEL, input: 'hello' } }
const RERANK = { path: '/v1/rerank', body: { model: MODEL, query: 'hello', documents: ['a', 'b'] } }
const IMAGES = { path: '/v1/images/generations', body: { model: MODEL, prompt: 'hello' } }
const SPEECH = { path: '/v1/audio/speech', body: { model: MODEL, input: 'hello', voice: 'alloy' } }
const MODERATIONS = { path: '/v1/moderations', body: { model: MODEL, input: 'hello' } }
const TENCENT_KEY = '1|AKIDz8krbsJ5yKBZQpn74WFkmLPx3gnPhESA|Gu5t9xGARNpq86cd98joQYCN3Cozk1qA'

const ROWS: readonly Row[] = [
  { name: 'chat', channel: { type: 1 }, ...CHAT },
  {
    name: 'completions',
    channel: { type: 1 },
    path: '/v1/completions',
    body: { model: MODEL, prompt: 'hello' },
    streams: true,
  },
  { name: 'chat for Messages', channel: { type: 1 }, ...MESSAGES },
  { name: 'chat for Gemini', channel: { type: 1 }, ...GEMINI },
  { name: 'chat for Responses', channel: { type: 1 }, ...RESPONSES },
  { name: 'Responses', channel: { type: 1, setting: only('openai-responses') }, ...RESPONSES },
  { name: 'Responses for chat', channel: { type: 1, setting: only('openai-responses') }, ...CHAT },
  { name: 'Anthropic', channel: { type: 14 }, ...MESSAGES },
  { name: 'Anthropic for chat', channel: { type: 14 }, ...CHAT },
  { name: 'Gemini', channel: { type: 24 }, ...GEMINI },
  { name: 'Gemini for chat', channel: { type: 24 }, ...CHAT },
  { name: 'Ollama', channel: { type: 4 }, ...CHAT },
  { name: "Ollama's own chat", channel: { type: 4 }, ...CHAT, body: ask(MODEL, { think: true }) },
  { name: 'Cohere', channel: { type: 34 }, ...CHAT },
  { name: 'Mistral', channel: { type: 42 }, ...CHAT },
  { name: 'MiniMax', channel: { type: 35 }, ...CHAT },
  { name: 'DashScope', channel: { type: 17 }, ...CHAT },
  { name: 'Qianfan', channel: { type: 46 }, ...CHAT },
  { name: 'Zhipu', channel: { type: 26 }, ...CHAT },
  { name: 'Hunyuan', channel: { type: 23, key: TENCENT_KEY }, ...CHAT },
  { name: "Hunyuan's OpenAI format", channel: { type: 23 }, ...CHAT },
  { name: 'Cloudflare', channel: { type: 39, other: 'account' }, ...CHAT },
  { name: 'Dify', channel: { type: 37 }, ...CHAT },
  { name: 'Coze', channel: { type: 49, other: 'bot' }, ...CHAT },
  { name: 'embeddings', channel: { type: 1 }, ...EMBEDDINGS },
  { name: 'embeddings of Ollama', channel: { type: 4 }, ...EMBEDDINGS },
  { name: 'embeddings of Gemini', channel: { type: 24 }, ...EMBEDDINGS },
  { name: 'embeddings of Cohere', channel: { type: 34 }, ...EMBEDDINGS },
  { name: 'embeddings of Jina', channel: { type: 38 }, ...EMBEDDINGS },
  { name: 'embeddings of DashScope', channel: { type: 17 }, ...EMBEDDINGS },
  { name: 'embeddings of Hunyuan', channel: { type: 23, key: TENCENT_KEY }, ...EMBEDDINGS },
  { name: 'embeddings of Mistral', channel: { type: 42 }, ...EMBEDDINGS },
  { name: 'embeddings of Zhipu', channel: { type: 26 }, ...EMBEDDINGS },
  { name: 'embeddings of Cloudflare', channel: { type: 39, other: 'account' }, ...EMBEDDINGS },
  { name: 'rerank', channel: { type: 47 }, ...RERANK },
  { name: 'rerank of Cohere', channel: { type: 34 }, ...RERANK },
  { name: 'rerank of Jina', channel: { type: 38 }, ...RERANK },
  { name: 'rerank of DashScope', channel: { type: 17 }, ...RERANK },
  { name: 'rerank of Zhipu', channel: { type: 26 }, ...RERANK },
  { name: 'rerank of Qianfan', channel: { type: 46 }, ...RERANK },
  { name: 'images', channel: { type: 1 }, ...IMAGES },
  { name: 'streamed images', channel: { type: 1 }, ...IMAGES, streams: true },
  { name: 'images of SiliconFlow', channel: { type: 40 }, ...IMAGES },
  { name: 'images of Volcengine', channel: { type: 45 }, ...IMAGES },
  { name: 'images of DashScope', channel: { type: 17 }, ...IMAGES },
  { name: 'images of Zhipu', channel: { type: 26 }, ...IMAGES },
  { name: 'images of Cloudflare', channel: { type: 39, other: 'account' }, ...IMAGES },
  { name: 'speech', channel: { type: 1 }, ...SPEECH },
  { name: 'speech of MiniMax', channel: { type: 35 }, ...SPEECH },
  { name: 'moderations', channel: { type: 1 }, ...MODERATIONS },
]

/** Replies of an upstream of OpenAI's format, by path. */
function answerWell(exchange: Exchange): void {
  const { path, response } = exchange
  const data = [{ index: 0, object: 'embedding', embedding: [1, 0] }]
  if (path.includes('speech')) response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.alloc(1000, 1))
  else if (path.includes('embeddings')) sendJson(exchange, { object: 'list', data, usage: usage(3, 0) })
  else if (path.includes('rerank'))
    sendJson(exchange, { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 3 } })
  else if (path.includes('images')) sendJson(exchange, { created: 1, data: [{ url: 'https://example.com/1.png' }] })
  else if (path.includes('moderations'))
    sendJson(exchange, { id: 'modr-1', model: MODEL, results: [{ flagged: false }] })
  else if (path.includes('/completions') && !path.includes('chat'))
    sendJson(exchange, {
      id: 'c',
      object: 'text_completion',
      choices: [{ index: 0, text: 'ok', finish_reason: 'stop' }],
      usage: usage(3, 2),
    })
  else sendJson(exchange, completion('ok', usage(3, 2)))
}

const sse = ({ response }: Exchange, body: unknown) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event(body))

/** As many consecutive errors of an upstream open its circuit. */
const ERRORS = 10

describe('an error with status 200 is a failure', () => {
  test.each(ROWS.map((row, at) => ({ ...row, at })))('of $name', async (row) => {
    const { channel, path, streamPath = path, body, streams, at } = row
    const fixture = await openGateway()
    await setPrices(fixture)
    await fixture.toolkit.options.set(fixture.root, 'RetryTimes', '1')
    const { key } = await customer(fixture, { user: { quota: 1e9 } })
    const now: { send: (exchange: Exchange, body: unknown) => unknown; form: unknown } = { send: sendJson, form: {} }
    const bad = await startUpstream((exchange) => now.send(exchange, now.form))
    const good = await startUpstream(answerWell)
    const failing = { key: CHANNEL_KEY, ...channel, base_url: bad.url, models: MODEL, priority: 1 }
    const { id } = await fixture.channel(failing)
    const type = path.includes('moderations') ? 1 : 47
    const served = await fixture.channel({ type, base_url: good.url, models: MODEL, key: CHANNEL_KEY })
    const ways = [
      { send: sendJson, stream: false },
      ...(streams ? [sendJson, sse].map((send) => ({ send, stream: true })) : []),
    ]

    // Each form occurs with many rows.
    for (let turn = 0; turn < ERRORS; turn++) {
      const { send, stream } = ways[turn % ways.length] as (typeof ways)[number]
      Object.assign(now, { send, form: FORMS[(at * ERRORS + turn) % FORMS.length] })
      const asked = stream && streamPath === path ? { ...body, stream } : body
      const reply = await post({ url: fixture.url, key, path: stream ? streamPath : path, body: asked })
      const counts = { bad: bad.seen.length, good: good.seen.length }
      expect({ form: now.form, status: reply.status, ...counts }).toEqual({
        form: now.form,
        status: 200,
        bad: turn + 1,
        good: turn + 1,
      })
      expect(reply.text).not.toContain(TEXT)
    }

    const logs = await expectExactBooks(fixture)
    expect(logs.map((log) => log.channel)).toEqual(Array(ERRORS).fill(served.id))
    await expect
      .poll(async () => (await fixture.toolkit.channels.healthOf(fixture.root, id)).circuits.length)
      .toBeGreaterThan(0)
  })

  test.each([
    { name: 'chat', ...CHAT, shape: { error: { message: expect.stringContaining(TEXT), type: 'upstream_error' } } },
    { name: 'Responses', ...RESPONSES, shape: { error: { message: expect.stringContaining(TEXT) } } },
    {
      name: 'Messages',
      ...MESSAGES,
      shape: { type: 'error', error: { type: 'api_error', message: expect.stringContaining(TEXT) } },
    },
    { name: 'Gemini', ...GEMINI, shape: { error: { code: 502, message: expect.stringContaining(TEXT) } } },
    { name: 'embeddings', ...EMBEDDINGS, shape: { error: { message: expect.stringContaining(TEXT) } } },
  ])('whose client of $name gets its text', async ({ path, body, shape }) => {
    const fixture = await openGateway()
    await setPrices(fixture)
    const { key, person } = await customer(fixture)
    const { url } = await startUpstream((exchange) => sendJson(exchange, { success: false, code: 20_012, msg: TEXT }))
    await fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY })
    const reply = await post({ url: fixture.url, key, path, body })
    expect(reply.status).toBe(502)
    expect(reply.json).toMatchObject(shape)
    expect(await fixture.toolkit.accounts.get(fixture.root, person.id)).toMatchObject({ used_quota: 0 })
    await expectNothingHeld(fixture)
  })

  test.each(FORMS.map((form) => [JSON.stringify(form), form] as const))('as %s, with its text', (_, form) => {
    expect(isReplyError(form)).toBe(true)
    expect(replyError(form).message).toBe(TEXT)
  })

  test.each([
    { code: 'print(1)', type: 'response.code_interpreter_call_code.done' },
    { type: 'message_start', message: { id: 'msg_1' } },
    { code: 200, msg: 'ok', success: true },
    { code: 0, message: 'success', data: { id: '1' } },
    { header: { code: 0, message: 'Success' }, payload: {} },
    { data: [{ url: 'https://example.com/1.png' }, { error: { message: TEXT } }], error: { message: TEXT } },
    { error: null, base_resp: { status_code: 0, status_msg: '' }, choices: [] },
    { candidates: [{}], status: 'failed', message: 'text' },
    { choices: [{ message: { content: 'hi' } }], error: {} },
    { choices: [{ message: { content: 'hi' } }], error: { code: 0, message: '' } },
    { choices: [{ message: { content: 'hi' } }], error: 'null' },
    { type: 'status', detail: 'queued' },
    { images: [{ url: 'https://example.com/1.png' }], detail: 'fine' },
    { audio: 'aa', code: 1000, message: 'Success' },
    { object: 'batch', id: 'b', status: 'failed', message: 'text' },
    { text: 'an error message', code: 5 },
    { message: { role: 'assistant', content: 'hi' }, done: true },
  ])('unlike %j', (body) => {
    expect(isReplyError(body)).toBe(false)
  })
})

test('a reply without a result of its kind is a failure, and an image that failed is not charged', async () => {
  const fixture = await openGateway()
  await setPrices(fixture)
  const { key } = await customer(fixture, { user: { quota: 1e9 } })
  const now = { body: {} as object }
  const { url } = await startUpstream((exchange) => sendJson(exchange, now.body))
  await fixture.channel({ type: 47, base_url: url, models: MODEL, key: CHANNEL_KEY })
  const send = ({ path, body }: { path: string; body: object }, reply: object) => {
    now.body = reply
    return post({ url: fixture.url, key, path, body })
  }
  for (const [row, reply] of [
    [EMBEDDINGS, { object: 'list', data: [], usage: usage(3, 0) }],
    [EMBEDDINGS, { object: 'list', data: {}, usage: usage(3, 0) }],
    [IMAGES, { created: 1, data: [{ error: { message: TEXT } }] }],
    [IMAGES, { hello: 'world' }],
  ] as const)
    expect((await send(row, reply)).json.error).toMatchObject({ code: 'bad_response_body' })
  await fixture.toolkit.options.set(fixture.root, 'ModelPrice', JSON.stringify({ [MODEL]: 0.01 }))
  const some = { data: [{ url: 'https://example.com/1.png' }, { error: { message: TEXT } }] }
  expect((await send(IMAGES, some)).status).toBe(200)
  expect((await send({ ...IMAGES, body: { ...IMAGES.body, n: 2 } }, some)).status).toBe(200)
  expect((await expectExactBooks(fixture)).map(({ quota }) => quota)).toEqual([5000, 5000])
})

const HI = 'hi there'
const CHAT_TEXT = { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: HI } }] }
const GEMINI_TEXT = { candidates: [{ content: { role: 'model', parts: [{ text: HI }] } }] }
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: MODEL }
const MESSAGES_TEXT = [
  { type: 'message_start', message: { ...MESSAGE, usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: HI } },
]
const RESPONSES_TEXT = [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: HI },
]

/** So many rows share the forms: more errors in turn would open the circuit. */
const SHARING = 4

test.each([
  { at: 0, name: 'chat', channel: { type: 1 }, row: CHAT, head: [CHAT_TEXT] },
  { at: 1, name: 'chat for Gemini', channel: { type: 1 }, row: GEMINI, head: [CHAT_TEXT] },
  { at: 2, name: 'Gemini', channel: { type: 24 }, row: GEMINI, head: [GEMINI_TEXT] },
  { at: 3, name: 'Gemini for chat', channel: { type: 24 }, row: CHAT, head: [GEMINI_TEXT] },
  { at: 4, name: 'Gemini for Messages', channel: { type: 24 }, row: MESSAGES, head: [GEMINI_TEXT] },
  { at: 5, name: 'Anthropic', channel: { type: 14 }, row: MESSAGES, head: MESSAGES_TEXT },
  { at: 6, name: 'Anthropic for Responses', channel: { type: 14 }, row: RESPONSES, head: MESSAGES_TEXT },
  {
    at: 7,
    name: 'Responses',
    channel: { type: 1, setting: only('openai-responses') },
    row: RESPONSES,
    head: RESPONSES_TEXT,
  },
  {
    at: 8,
    name: 'Responses for chat',
    channel: { type: 1, setting: only('openai-responses') },
    row: CHAT,
    head: RESPONSES_TEXT,
  },
] as const)(
  'an error of any form in the middle of a stream of $name reaches the client',
  async ({ at, channel, row, head }) => {
    const fixture = await openGateway()
    await setPrices(fixture)
    const { key } = await customer(fixture, { user: { quota: 1e9 } })
    const now = { form: {} as object }
    const { url } = await startUpstream(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end([...head, now.form].map((body) => event(body)).join(''))
    })
    await fixture.channel({ ...channel, base_url: url, models: MODEL, key: CHANNEL_KEY })
    const path = 'streamPath' in row ? row.streamPath : row.path
    const body = 'streamPath' in row ? row.body : { ...row.body, stream: true }
    for (const form of FORMS.filter((_, index) => index % SHARING === at % SHARING)) {
      now.form = form
      const reply = await post({ url: fixture.url, key, path, body })
      expect({ form, text: reply.text }).toEqual({ form, text: expect.stringContaining(HI) })
      expect({ form, text: reply.text }).toEqual({ form, text: expect.stringContaining(TEXT) })
    }
    await expectNothingHeld(fixture)
  },
)

test.each([
  ['chat', 1, CHAT, { choices: [{ message: { content: '' }, finish_reason: 'stop' }], usage: usage(10, 1) }],
  [
    'Gemini',
    24,
    GEMINI,
    {
      candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
    },
  ],
  ['a rerank', 38, RERANK, { results: [], usage: { total_tokens: 10 } }],
] as const)('an empty reply of %s that was billed is a reply', async (_, type, { path, body }, reply) => {
  const fixture = await openGateway()
  await setPrices(fixture)
  const { key } = await customer(fixture, { user: { quota: 1e9 } })
  const upstream = await startUpstream((exchange) => sendJson(exchange, reply))
  await fixture.channel({ type, base_url: upstream.url, models: MODEL, key: CHANNEL_KEY })
  expect(await post({ url: fixture.url, key, path, body })).toMatchObject({ status: 200 })
  expect(upstream.seen).toHaveLength(1)
  expect(await expectExactBooks(fixture)).toHaveLength(1)
})

test('an error of a provider in a choice is a failure', async () => {
  const fixture = await openGateway()
  await setPrices(fixture)
  const { key } = await customer(fixture)
  const choice = { message: { content: '' }, finish_reason: 'error', error: { code: 502, message: TEXT } }
  const { url } = await startUpstream((exchange) =>
    sendJson(exchange, { id: 'x', choices: [choice], usage: usage(10, 0) }),
  )
  await fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY })
  const reply = await post({ url: fixture.url, key, ...CHAT })
  expect(reply.status).toBe(502)
  expect(reply.json.error?.message).toContain(TEXT)
})

test.each([
  ['in two parts', 'audio/mpeg', ['{"error":{"message":"', `${TEXT}"}}`]],
  ['after blanks', 'audio/mpeg', [` \n {"error":{"message":"${TEXT}"}}`]],
])('an error in place of a sound, %s, is a failure', async (_, type, parts) => {
  const fixture = await openGateway()
  await setPrices(fixture)
  const { key, person } = await customer(fixture)
  const { url } = await startUpstream(async ({ response }) => {
    response.writeHead(200, { 'content-type': type })
    for (const part of parts) {
      response.write(part)
      await sleep(20)
    }
    response.end()
  })
  await fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY })
  expect((await post({ url: fixture.url, key, ...SPEECH })).status).toBe(502)
  expect(await fixture.toolkit.accounts.get(fixture.root, person.id)).toMatchObject({ used_quota: 0 })
})

test.each(['audio/mpeg', 'text/plain', 'application/octet-stream'])(
  'an error in place of a sound of type %s is a failure',
  async (type) => {
    const fixture = await openGateway()
    await setPrices(fixture)
    const { key, person } = await customer(fixture)
    const { url } = await startUpstream(({ response }) =>
      response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ error: { message: TEXT } })),
    )
    await fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY })
    const reply = await post({ url: fixture.url, key, ...SPEECH })
    expect(reply.status).toBe(502)
    expect(reply.json.error?.message).toContain(TEXT)
    expect(await fixture.toolkit.accounts.get(fixture.root, person.id)).toMatchObject({ used_quota: 0 })
  },
)
