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
      const world = await open()

      expectRefusal(await world.chat(body, { path }), { status, code })

      expect(world.upstream.seen).toEqual([])
      expect(await charges(world)).toEqual([])
      expect((await world.chat(ask(MODEL))).status).toBe(200)
    },
  )

  test('a model without a price', async () => {
    const world = await open({ channel: { models: 'unpriced-model' } })

    expectRefusal(await world.chat(ask('unpriced-model')), { status: 400, code: 'model_price_error' })
    expect(world.upstream.seen).toEqual([])
  })

  test('__proto__ and constructor as a model, though a channel serves them: they have no own price', async () => {
    const world = await open({ channel: { models: '__proto__,constructor' } })

    for (const model of ['__proto__', 'constructor']) {
      expectRefusal(await world.chat(ask(model)), { status: 400, code: 'model_price_error' })
    }
  })

  test('more than the balance: the hold is too large', async () => {
    const world = await open()

    const answer = await world.chat(ask(MODEL, { max_tokens: 1_000_000_000 }))

    expectRefusal(answer, { status: 403, code: 'insufficient_user_quota' })
    await expectNothingHeld(world)
  })
})

describe('too large bodies', () => {
  test('20 MB are 413', async () => {
    const world = await open()

    const answer = await world.chat(ask(MODEL, { padding: 'x'.repeat(20 * 1024 * 1024) }))

    expectRefusal(answer, { status: 413, code: 'request_too_large' })
  })

  test('20 MB in a few kilobytes of gzip are 413: the decompressed size counts', async () => {
    const world = await open()
    const bomb = gzipSync(JSON.stringify(ask(MODEL, { padding: 'x'.repeat(20 * 1024 * 1024) })))
    expect(bomb.length).toBeLessThan(100_000)

    const answer = await world.chat(bomb, { headers: { 'content-encoding': 'gzip' } })

    expectRefusal(answer, { status: 413, code: 'request_too_large' })
  })

  test('BODY_MAX_MB sets the limit', async () => {
    const world = await open({ settings: { BODY_MAX_MB: '1' } })

    expect((await world.chat(ask(MODEL, { padding: 'x'.repeat(900_000) }))).status).toBe(200)
    expect((await world.chat(ask(MODEL, { padding: 'x'.repeat(1_100_000) }))).status).toBe(413)
  })
})

describe('compressed bodies', () => {
  const body = ask(MODEL, { kept: '天地' })
  test.each([
    { encoding: 'gzip', bytes: gzipSync(JSON.stringify(body)) },
    { encoding: 'br', bytes: brotliCompressSync(JSON.stringify(body)) },
  ])('$encoding is decompressed, and the upstream gets plain JSON', async ({ encoding, bytes }) => {
    const world = await open()

    expect((await world.chat(bytes, { headers: { 'content-encoding': encoding } })).status).toBe(200)

    const { body: arrived, headers } = onlyRequest(world.upstream)
    expect(arrived).toEqual(body)
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('an unknown encoding is ignored', async () => {
    const world = await open()

    for (const encoding of ['constructor', 'toString', '__proto__', 'zip']) {
      const answer = await world.chat(JSON.stringify(body), { headers: { 'content-encoding': encoding } })
      expect([encoding, answer.status]).toEqual([encoding, 200])
    }
  })

  test.each(['gzip', 'br'])('a body falsely declared as %s is 400', async (encoding) => {
    const world = await open()

    const answer = await world.chat(JSON.stringify(body), { headers: { 'content-encoding': encoding } })

    expectRefusal(answer, { status: 400, code: 'request_malformed' })
  })

  test('truncated gzip is 400', async () => {
    const world = await open()
    const bytes = gzipSync(JSON.stringify(body))

    const answer = await world.chat(bytes.subarray(0, bytes.length - 12), { headers: { 'content-encoding': 'gzip' } })

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
      const world = await open()

      const answer = await world.chat(raw, path ? { path } : {})

      expect([200, 400]).toContain(answer.status)
      await expectNothingHeld(world)
      expect((await world.chat(ask(MODEL))).status).toBe(200)
    },
  )

  test('a field ten thousand objects deep is rejected or served if the channel maps the model, too', async () => {
    const world = await open({ channel: { model_mapping: JSON.stringify({ [MODEL]: 'other' }) } })

    const answer = await world.chat(nested['a field ten thousand objects deep']?.raw)

    expect([200, 400]).toContain(answer.status)
  })

  test('duplicate keys: routing and price use the value that the upstream reads', async () => {
    const world = await open()

    const answer = await world.chat(
      `{"model":"expensive","model":"${MODEL}","messages":[{"role":"user","content":"hi"}]}`,
    )

    expect(answer.status).toBe(200)
    expect(onlyRequest(world.upstream).body.model).toBe(MODEL)
    expect(await charges(world)).toMatchObject([{ model_name: MODEL }])
  })

  test('duplicate stream_options cannot disable the usage report', async () => {
    const world = await openRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))

    await world.chat(
      `{"model":"${MODEL}","stream":true,"stream_options":{"include_usage":true},"stream_options":{"include_usage":false},"messages":[{"role":"user","content":"hi"}]}`,
    )

    expect(onlyRequest(world.upstream).body.stream_options).toEqual({ include_usage: true })
  })

  test('__proto__ as a field changes nothing but itself', async () => {
    const world = await open()

    const answer = await world.chat(
      `{"__proto__":{"stream":true,"max_tokens":1},"model":"${MODEL}","messages":[{"role":"user","content":"hi","__proto__":{"name":"x"}}]}`,
    )

    expect(answer).toMatchObject({ status: 200, complete: true })
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(({} as Record<string, unknown>).stream).toBeUndefined()
  })

  test('a model with line breaks adds no header anywhere', async () => {
    const model = 'evil\r\nx-injected: 1'
    const world = await open({ channel: { models: `${MODEL}` } })

    const answer = await world.chat(ask(model))

    expectRefusal(answer, { status: 404, code: 'model_not_found' })
    expect(answer.headers.has('x-injected')).toBe(false)
  })

  test('a header that must not be forwarded is dropped', async () => {
    const world = await open()

    await world
      .chat(ask(MODEL), {
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'transfer-encoding': 'identity',
          te: 'trailers',
        },
      })
      .catch(() => undefined)
    await world.chat(ask(MODEL))

    expect(JSON.stringify(world.upstream.seen.map(({ headers }) => headers))).not.toContain('evil.example')
  })
})

test('a client that disconnects during its request costs nothing and blocks no other client', async () => {
  const world = await open()
  const socket = connect(world.gateway.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.key}\r\ncontent-length: 500\r\n\r\n{"model":`,
  )
  await sleep(50)

  socket.destroy()

  expect((await world.chat(ask(MODEL))).status).toBe(200)
  await expectNothingHeld(world)
  expect(await charges(world)).toHaveLength(1)
})
