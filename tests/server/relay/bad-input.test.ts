import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { charges, expectNothingHeld } from '../../support/books.ts'
import { ask, expectRefusal } from '../../support/chat.ts'
import { MODEL } from '../../support/gateway.ts'
import { completion, onlyRequest, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()

const open = (options = {}) => openRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))), options)

describe('is rejected before any hold or upstream request', () => {
  const malformed = 'request_malformed'
  const bad: Record<string, { body: unknown; status?: number; code?: string; path?: string }> = {
    'no body': { body: '' },
    'what is not JSON': { body: '{"model":' },
    'an array': { body: [ask(MODEL)] },
    null: { body: 'null' },
    'a text': { body: '"hello"' },
    'no model': { body: { messages: [] }, code: 'model_required' },
    'a model that is no text': { body: { ...ask(MODEL), model: { name: MODEL } }, code: 'model_required' },
    'no messages': { body: { model: MODEL } },
    'messages that are no list': { body: { model: MODEL, messages: 'hello' } },
    'max_tokens that is no number': { body: ask(MODEL, { max_tokens: '100' }) },
    'max_tokens below zero': { body: ask(MODEL, { max_tokens: -1 }) },
    'max_tokens beyond any bound': { body: ask(MODEL, { max_tokens: 1e15 }) },
    'n that is a fraction': { body: ask(MODEL, { n: 1.5 }) },
    'stream that is a text': { body: ask(MODEL, { stream: 'yes' }) },
    'no prompt': { body: { model: MODEL }, path: '/v1/completions' },
    'no input': { body: { model: MODEL }, path: '/v1/embeddings' },
    'an unknown model': { body: ask('no-such-model'), status: 404, code: 'model_not_found' },
    '__proto__ as a model': { body: ask('__proto__'), status: 404, code: 'model_not_found' },
    'constructor as a model': { body: ask('constructor'), status: 404, code: 'model_not_found' },
    'hasOwnProperty as a model': { body: ask('hasOwnProperty'), status: 404, code: 'model_not_found' },
  }
  test.each(Object.entries(bad))(
    '%s',
    async (_, { body, status = 400, code = malformed, path = '/v1/chat/completions' }) => {
      const fixture = await open()

      expectRefusal(await fixture.chat(body, { path }), { status, code })

      expect(fixture.upstream.seen).toEqual([])
      expect(await charges(fixture)).toEqual([])
      expect((await fixture.chat(ask(MODEL))).status).toBe(200)
    },
  )

  test('a model without a price', async () => {
    const fixture = await open({ channel: { models: 'unpriced-model' } })

    expectRefusal(await fixture.chat(ask('unpriced-model')), { status: 400, code: 'model_price_error' })
    expect(fixture.upstream.seen).toEqual([])
  })

  test('__proto__ and constructor as a model, though a channel serves them: they have no own price', async () => {
    const fixture = await open({ channel: { models: '__proto__,constructor' } })

    for (const model of ['__proto__', 'constructor']) {
      expectRefusal(await fixture.chat(ask(model)), { status: 400, code: 'model_price_error' })
    }
  })

  test('more than the balance: the hold is too large', async () => {
    const fixture = await open()

    const answer = await fixture.chat(ask(MODEL, { max_tokens: 1_000_000_000 }))

    expectRefusal(answer, { status: 403, code: 'insufficient_user_quota' })
    await expectNothingHeld(fixture)
  })
})

test.each(['/v1/chat/completions', '/v1/messages', '/v1/responses'])(
  'the message for a byte order mark names it: %s',
  async (path) => {
    const fixture = await open()
    const answer = await fixture.chat(`\uFEFF${JSON.stringify(ask(MODEL))}`, { path })
    expect(answer.status).toBe(400)
    expect(answer.json.error?.message).toContain('byte order mark: send UTF-8 without the mark')
  },
)

test('the message for an invalid content type names the header', async () => {
  const fixture = await open()
  const headers = { 'content-type': 'json' }
  const answer = await fixture.chat({ model: MODEL, input: 'hi' }, { path: '/v1/responses', headers })
  expectRefusal(answer, { status: 400, code: 'request_malformed' })
  expect(answer.json.error?.message).toContain('the header Content-Type is no media type: send application/json')
})

describe('too large bodies', () => {
  test('20 MB are 413', async () => {
    const fixture = await open()

    const answer = await fixture.chat(ask(MODEL, { padding: 'x'.repeat(20 * 1024 * 1024) }))

    expectRefusal(answer, { status: 413, code: 'request_too_large' })
  })

  test('20 MB in a few kilobytes of gzip are 413: the decompressed size counts', async () => {
    const fixture = await open()
    const bomb = gzipSync(JSON.stringify(ask(MODEL, { padding: 'x'.repeat(20 * 1024 * 1024) })))
    expect(bomb.length).toBeLessThan(100_000)

    const answer = await fixture.chat(bomb, { headers: { 'content-encoding': 'gzip' } })

    expectRefusal(answer, { status: 413, code: 'request_too_large' })
  })

  test('BODY_MAX_MB sets the limit', async () => {
    const fixture = await open({ settings: { BODY_MAX_MB: '1' } })

    expect((await fixture.chat(ask(MODEL, { padding: 'x'.repeat(900_000) }))).status).toBe(200)
    expect((await fixture.chat(ask(MODEL, { padding: 'x'.repeat(1_100_000) }))).status).toBe(413)
  })
})

describe('compressed bodies', () => {
  const body = ask(MODEL, { kept: '天地' })
  test.each([
    { encoding: 'gzip', bytes: gzipSync(JSON.stringify(body)) },
    { encoding: 'br', bytes: brotliCompressSync(JSON.stringify(body)) },
  ])('$encoding is decompressed, and the upstream gets plain JSON', async ({ encoding, bytes }) => {
    const fixture = await open()

    expect((await fixture.chat(bytes, { headers: { 'content-encoding': encoding } })).status).toBe(200)

    const { body: arrived, headers } = onlyRequest(fixture.upstream)
    expect(arrived).toEqual(body)
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('an unknown encoding is ignored', async () => {
    const fixture = await open()

    for (const encoding of ['constructor', 'toString', '__proto__', 'zip']) {
      const answer = await fixture.chat(JSON.stringify(body), { headers: { 'content-encoding': encoding } })
      expect([encoding, answer.status]).toEqual([encoding, 200])
    }
  })

  test.each(['gzip', 'br'])('a body falsely declared as %s is 400', async (encoding) => {
    const fixture = await open()

    const answer = await fixture.chat(JSON.stringify(body), { headers: { 'content-encoding': encoding } })

    expectRefusal(answer, { status: 400, code: 'request_malformed' })
  })

  test('truncated gzip is 400', async () => {
    const fixture = await open()
    const bytes = gzipSync(JSON.stringify(body))

    const answer = await fixture.chat(bytes.subarray(0, bytes.length - 12), { headers: { 'content-encoding': 'gzip' } })

    expectRefusal(answer, { status: 400, code: 'request_malformed' })
  })
})

describe('hostile bodies', () => {
  const deep = (open: string, close: string, inner = '1') => open.repeat(10_000) + inner + close.repeat(10_000)
  const nested: Record<string, { raw: string; path?: string }> = {
    'a field ten thousand objects deep': {
      raw: `{"model":"${MODEL}","messages":[{"role":"user","content":"hi"}],"x":${deep('{"a":', '}')}}`,
    },
    'tools ten thousand lists deep': {
      raw: `{"model":"${MODEL}","messages":[{"role":"user","content":"hi"}],"tools":${deep('[', ']')}}`,
    },
    'content ten thousand lists deep': {
      raw: `{"model":"${MODEL}","messages":[{"role":"user","content":${deep('[', ']')}}]}`,
    },
    'tool calls ten thousand lists deep': {
      raw: `{"model":"${MODEL}","messages":[{"role":"user","content":"","tool_calls":${deep('[', ']')}}]}`,
    },
    'an input ten thousand lists deep': {
      raw: `{"model":"${MODEL}","input":${deep('[', ']')}}`,
      path: '/v1/embeddings',
    },
    'a prompt ten thousand lists deep': {
      raw: `{"model":"${MODEL}","prompt":${deep('[', ']')}}`,
      path: '/v1/completions',
    },
  }
  test.each(Object.entries(nested))(
    '%s is either served or rejected as invalid, without harm to other requests',
    async (_, { raw, path }) => {
      const fixture = await open()

      const answer = await fixture.chat(raw, path ? { path } : {})

      expect([200, 400]).toContain(answer.status)
      await expectNothingHeld(fixture)
      expect((await fixture.chat(ask(MODEL))).status).toBe(200)
    },
  )

  test('a field ten thousand objects deep is rejected or served if the channel maps the model, too', async () => {
    const fixture = await open({ channel: { model_mapping: JSON.stringify({ [MODEL]: 'other' }) } })

    const answer = await fixture.chat(nested['a field ten thousand objects deep']?.raw)

    expect([200, 400]).toContain(answer.status)
  })

  test('duplicate keys: routing and price use the value that the upstream reads', async () => {
    const fixture = await open()

    const answer = await fixture.chat(
      `{"model":"expensive","model":"${MODEL}","messages":[{"role":"user","content":"hi"}]}`,
    )

    expect(answer.status).toBe(200)
    expect(onlyRequest(fixture.upstream).body.model).toBe(MODEL)
    expect(await charges(fixture)).toMatchObject([{ model_name: MODEL }])
  })

  test('duplicate stream_options cannot disable the usage report', async () => {
    const fixture = await openRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))

    await fixture.chat(
      `{"model":"${MODEL}","stream":true,"stream_options":{"include_usage":true},"stream_options":{"include_usage":false},"messages":[{"role":"user","content":"hi"}]}`,
    )

    expect(onlyRequest(fixture.upstream).body.stream_options).toEqual({ include_usage: true })
  })

  test('__proto__ as a field changes nothing but itself', async () => {
    const fixture = await open()

    const answer = await fixture.chat(
      `{"__proto__":{"stream":true,"max_tokens":1},"model":"${MODEL}","messages":[{"role":"user","content":"hi","__proto__":{"name":"x"}}]}`,
    )

    expect(answer).toMatchObject({ status: 200, complete: true })
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(({} as Record<string, unknown>).stream).toBeUndefined()
  })

  test('a model with line breaks adds no header anywhere', async () => {
    const model = 'evil\r\nx-injected: 1'
    const fixture = await open({ channel: { models: `${MODEL}` } })

    const answer = await fixture.chat(ask(model))

    expectRefusal(answer, { status: 404, code: 'model_not_found' })
    expect(answer.headers.has('x-injected')).toBe(false)
  })

  test('a header that must not be forwarded is dropped', async () => {
    const fixture = await open()

    await fixture
      .chat(ask(MODEL), {
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'transfer-encoding': 'identity',
          te: 'trailers',
        },
      })
      .catch(() => undefined)
    await fixture.chat(ask(MODEL))

    expect(JSON.stringify(fixture.upstream.seen.map(({ headers }) => headers))).not.toContain('evil.example')
  })
})

test('a client that disconnects during its request costs nothing and blocks no other client', async () => {
  const fixture = await open()
  const socket = connect(fixture.gateway.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${fixture.key}\r\ncontent-length: 500\r\n\r\n{"model":`,
  )
  await sleep(50)

  socket.destroy()

  expect((await fixture.chat(ask(MODEL))).status).toBe(200)
  await expectNothingHeld(fixture)
  expect(await charges(fixture)).toHaveLength(1)
})
