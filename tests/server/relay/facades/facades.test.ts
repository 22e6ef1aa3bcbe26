import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, untilCharged } from '../../../support/books.ts'
import { post } from '../../../support/chat.ts'
import { MODEL, priceOf } from '../../../support/gateway.ts'
import {
  chunk,
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../../support/reused.ts'

const open = reusedRelay()
const CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]

/** Replies to a request with tools by a call, to any other by a text. */
function upstream(exchange: Exchange) {
  const isCalling = exchange.body.tools !== undefined
  if (exchange.path === '/v1/embeddings') {
    return sendJson(exchange, {
      object: 'list',
      data: [{ index: 0, embedding: [0.5, 1] }],
      usage: { prompt_tokens: 20, total_tokens: 20 },
    })
  }
  if (exchange.body.stream !== true) {
    const reply = completion('Hi there', usage(20, 12))
    const message = { role: 'assistant', content: null, tool_calls: [CALL] }
    return sendJson(
      exchange,
      isCalling ? { ...reply, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] } : reply,
    )
  }
  const content = isCalling
    ? [chunk({ tool_calls: [{ index: 0, ...CALL }] }), stopChunk('tool_calls')]
    : [say('Hi '), say('there'), stopChunk()]
  return sendStream(exchange, [...content, usageChunk(usage(20, 12))])
}

const eventsOf = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an upstream may end lines by CRLF, omit the space after `data:`, and send comments', async () => {
  const fixture = await open((exchange) => {
    const payloads = [say('天 '), say('地'), stopChunk(), usageChunk(usage(20, 12))]
    const events = payloads.map((payload) => `: wait\r\n\r\ndata:${JSON.stringify(payload)}\r\n\r\n`)
    startStream(exchange)
    exchange.response.end(`${events.join('')}data:[DONE]\r\n\r\n`)
  })
  const body = { model: MODEL, messages: [{ role: 'user', content: 'hello' }], stream: true }
  const cohere = eventsOf((await post({ ...fixture, path: '/v2/chat', body })).text)
  expect(cohere.map(({ delta }) => delta?.message?.content?.text ?? '').join('')).toBe('天 地')
  const ollama = linesOf((await post({ ...fixture, path: '/api/chat', body })).text)
  expect(ollama.map(({ message }) => message.content).join('')).toBe('天 地')
  expect(ollama.at(-1)).toMatchObject({ done: true, eval_count: 12 })
})

test('chunks with an empty error are no failure', async () => {
  const fixture = await open((exchange) =>
    sendStream(
      exchange,
      [say('Hi'), stopChunk(), usageChunk(usage(20, 12))].map((payload) => ({ ...payload, error: null })),
    ),
  )
  const body = { model: MODEL, messages: [{ role: 'user', content: 'hello' }] }
  expect(linesOf((await post({ ...fixture, path: '/api/chat', body })).text)).toMatchObject([
    { message: { content: 'Hi' } },
    { done: true, eval_count: 12 },
  ])
})

describe("Cohere's paths", () => {
  const ask = { model: MODEL, messages: [{ role: 'user', content: 'hello' }] }

  test('serve a conversation whole and streamed, and charge it once', async () => {
    const fixture = await open(upstream)
    const whole = await post({ ...fixture, path: '/v2/chat', body: { ...ask, p: 0.5, stop_sequences: ['x'] } })
    expect(whole.json).toMatchObject({
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi there' }] },
      usage: { billed_units: { input_tokens: 20, output_tokens: 12 } },
    })
    expect(fixture.upstream.seen[0]?.body).toMatchObject({ top_p: 0.5, stop: ['x'] })
    const streamed = eventsOf((await post({ ...fixture, path: '/v2/chat', body: { ...ask, stream: true } })).text)
    expect(streamed.map(({ type }) => type)).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-delta',
      'content-end',
      'message-end',
    ])
    expect(streamed.at(-1)).toMatchObject({
      delta: { finish_reason: 'COMPLETE', usage: { tokens: { output_tokens: 12 } } },
    })
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12)])
    await expectNothingHeld(fixture)
  })

  test('call tools whole and streamed, and accept their results', async () => {
    const fixture = await open(upstream)
    const called = { ...ask, tools: TOOLS, tool_choice: 'REQUIRED' }
    const whole = await post({ ...fixture, path: '/v2/chat', body: called })
    expect(whole.json).toMatchObject({ finish_reason: 'TOOL_CALL', message: { tool_calls: [CALL] } })
    expect(fixture.upstream.seen[0]?.body).toMatchObject({ tool_choice: 'required' })
    const streamed = eventsOf((await post({ ...fixture, path: '/v2/chat', body: { ...called, stream: true } })).text)
    expect(streamed.map(({ type }) => type)).toEqual([
      'message-start',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'message-end',
    ])
    const messages = [
      ...ask.messages,
      { role: 'assistant', tool_calls: [CALL], tool_plan: 'I look.' },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'document', document: { data: '{"seen":1}' } }] },
    ]
    await post({ ...fixture, path: '/v2/chat', body: { ...ask, messages } })
    expect(((fixture.upstream.seen[2] as Exchange).body.messages as object[])[2]).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: '{"seen":1}',
    })
  })

  test('create embeddings', async () => {
    const fixture = await open(upstream)
    const body = { model: MODEL, texts: ['a'], input_type: 'search_query', embedding_types: ['float', 'base64'] }
    const { json } = await post({ ...fixture, path: '/v2/embed', body })
    expect(json).toMatchObject({ embeddings: { float: [[0.5, 1]] }, meta: { billed_units: { input_tokens: 20 } } })
    const [packed = ''] = (json.embeddings as { base64: string[] }).base64
    expect(Buffer.from(packed, 'base64').readFloatLE(0)).toBe(0.5)
  })

  test.each([
    ['/v2/chat', { documents: [{ data: 'x' }] }, 400, 'documents'],
    ['/v2/chat', { logprobs: true }, 400, 'logprobs'],
    ['/v2/chat', { model: 'no-such-model' }, 404, 'no-such-model'],
    ['/v2/embed', { texts: ['a'], embedding_types: ['int8'] }, 400, 'int8'],
    ['/v2/embed', { images: ['data:'] }, 400, 'texts'],
    ['/v2/rerank', { documents: ['a'] }, 400, 'query'],
    ['/v2/rerank', { query: 'a', documents: ['a'], model: 'no-such-model' }, 404, 'no-such-model'],
  ])('%s rejects %j in its own format', async (path, more, status, named) => {
    const fixture = await open(upstream)
    const answer = await post({ ...fixture, path, body: { ...ask, ...more } })
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ message: expect.stringContaining(named) })
    expect(fixture.upstream.seen).toEqual([])
  })
})

describe("Ollama's paths", () => {
  const ask = { model: MODEL, messages: [{ role: 'user', content: 'hello' }] }

  test('stream a conversation by default', async () => {
    const fixture = await open(upstream)
    const { text, headers } = await post({
      ...fixture,
      path: '/api/chat',
      body: { ...ask, options: { num_predict: 9, temperature: 0 } },
    })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const lines = linesOf(text)
    expect(lines.map(({ message }) => message.content).join('')).toBe('Hi there')
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 12 })
    expect(fixture.upstream.seen[0]?.body).toMatchObject({ max_tokens: 9, temperature: 0 })
    const whole = await post({ ...fixture, path: '/api/chat', body: { ...ask, stream: false } })
    expect(whole.json).toMatchObject({ message: { role: 'assistant', content: 'Hi there' }, done: true })
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12)])
  })

  test('call tools, and match results without ids', async () => {
    const fixture = await open(upstream)
    const called = linesOf((await post({ ...fixture, path: '/api/chat', body: { ...ask, tools: TOOLS } })).text)
    expect(called[0]).toMatchObject({
      message: { tool_calls: [{ function: { name: 'look', arguments: { at: 'sky' } } }] },
    })
    const result = { role: 'tool', tool_name: 'look', content: 'blue' }
    const { id: _, ...older } = called[0].message.tool_calls[0]
    for (const tool_calls of [called[0].message.tool_calls, [older]]) {
      const messages = [...ask.messages, { ...called[0].message, tool_calls }, result]
      await post({ ...fixture, path: '/api/chat', body: { ...ask, messages } })
    }
    const idsOf = (at: number) => {
      const [, assistant, tool] = (fixture.upstream.seen[at] as Exchange).body.messages as Record<string, unknown>[]
      const calls = assistant?.tool_calls as { id: string }[] | undefined
      return [calls?.[0]?.id, tool?.tool_call_id]
    }
    expect(idsOf(1)).toEqual(['call_1', 'call_1'])
    // Clients that know no ids of calls.
    expect(idsOf(2)).toEqual(['call_1_0', 'call_1_0'])
  })

  test('generate, embed, list models and return their version', async () => {
    const fixture = await open(upstream)
    const generated = await post({
      ...fixture,
      path: '/api/generate',
      body: { model: MODEL, prompt: 'hello', system: 'Be brief.', images: ['iVBOR'], stream: false },
    })
    expect(generated.json).toMatchObject({ response: 'Hi there', done: true })
    expect(fixture.upstream.seen[0]?.body.messages).toMatchObject([
      { role: 'system' },
      { content: [{ type: 'text' }, { image_url: { url: 'data:image/png;base64,iVBOR' } }] },
    ])
    const embedded = await post({ ...fixture, path: '/api/embed', body: { model: MODEL, input: ['a'] } })
    expect(embedded.json).toMatchObject({ embeddings: [[0.5, 1]], prompt_eval_count: 20 })
    expect((await post({ ...fixture, path: '/api/embeddings', body: { model: MODEL, prompt: 'a' } })).json).toEqual({
      embedding: [0.5, 1],
    })
    const get = async (path: string, key: string) =>
      (await fetch(fixture.url + path, { headers: { authorization: `Bearer ${key}` } })).json()
    expect(await get('/api/tags', fixture.key)).toMatchObject({ models: [{ name: MODEL, model: MODEL }] })
    expect(await get('/api/tags', 'sk-wrong')).toEqual({ error: expect.any(String) })
    expect(await get('/api/version', '')).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  })

  test.each([
    ['/api/generate', { prompt: 'a', suffix: 'b' }, 400, 'suffix'],
    ['/api/chat', { model: 'no-such-model' }, 404, 'no-such-model'],
  ])('%s rejects %j in its own format', async (path, more, status, named) => {
    const fixture = await open(upstream)
    const answer = await post({ ...fixture, path, body: { ...ask, ...more } })
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ error: expect.stringContaining(named) })
  })

  test('end with an error if the upstream breaks off, and charge the output', async () => {
    const fixture = await open((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('half')))
      setTimeout(() => exchange.response.destroy(), 50)
    })
    const lines = linesOf((await post({ ...fixture, path: '/api/chat', body: ask })).text)
    expect(lines.at(-1)).toEqual({ error: expect.any(String) })
    expect(await untilCharged(fixture, 1)).toHaveLength(1)
    await expectNothingHeld(fixture)
  })

  test.each([
    ['/api/chat', ask],
    ['/api/generate', { model: MODEL, prompt: 'Look' }],
    ['/v2/chat', { ...ask, stream: true }],
    ['/v1/fim/completions', { model: MODEL, prompt: 'a', suffix: 'b', stream: true }],
  ])('%s is charged by its usage, also if the client disconnects before', async (path, body) => {
    let finish = () => {}
    const fixture = await open((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('half')))
      // Reasoning that the client did not receive.
      finish = () => exchange.response.end(event(stopChunk()) + event(usageChunk(usage(20, 3000))) + DONE)
    })
    const leaving = new AbortController()
    const answer = await fetch(fixture.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    await answer.body?.getReader().read()
    leaving.abort()
    setTimeout(finish, 200)
    expect((await untilCharged(fixture, 1))[0]).toMatchObject({ quota: priceOf(20, 3000) })
    await expectNothingHeld(fixture)
  })
})
