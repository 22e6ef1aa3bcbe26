import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { charges } from '../../../support/books.ts'
import {
  CHANNEL_KEY,
  customer,
  MODEL,
  openTestGateway,
  type RelayOptions,
  setPrices,
} from '../../../support/gateway.ts'

const DONE = { type: 'response.done', response: { usage: { input_tokens: 11, output_tokens: 5 } } }

/** An upstream that answers each message with a response of a known usage. */
async function startRealtime() {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const requests: IncomingMessage[] = []
  const heard: unknown[] = []
  sockets.on('connection', (socket, request) => {
    requests.push(request)
    socket.on('message', (data) => {
      heard.push(JSON.parse(String(data)))
      socket.send(JSON.stringify(DONE))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, heard }
}

async function open({ user = {}, token = {}, channel = {} }: RelayOptions = {}) {
  const upstream = await startRealtime()
  const fixture = await openTestGateway()
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, ...channel })
  return { ...fixture, ...(await customer(fixture, { user, token })), upstream }
}
type Fixture = Awaited<ReturnType<typeof open>>

function dial(
  { url, key }: Pick<Fixture, 'url' | 'key'>,
  { query = `model=${MODEL}`, protocols = [] as string[] } = {},
) {
  const headers = protocols.length ? {} : { authorization: `Bearer ${key}` }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, protocols, { headers })
  onTestFinished(() => socket.terminate())
  return socket
}

/** The error of HTTP that refuses a session. */
async function refusal(socket: WebSocket): Promise<{ status: number | undefined; code: unknown; id: unknown }> {
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  const { error } = JSON.parse(await text(response))
  return { status: response.statusCode, code: error.code, id: response.headers['x-oneapi-request-id'] }
}

async function exchange(socket: WebSocket): Promise<unknown> {
  if (socket.readyState !== socket.OPEN) await once(socket, 'open')
  socket.send('{"type":"response.create"}')
  const [data] = await once(socket, 'message')
  return JSON.parse(String(data))
}

describe('a realtime session', () => {
  test('gets an error for an event with sensitive words, which is not forwarded', async () => {
    const fixture = await open()
    const socket = dial(fixture)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'session.update', session: { instructions: 'a Test_Sensitive word' } }))
    const [data] = await once(socket, 'message')
    const { type, error } = JSON.parse(String(data))
    expect([type, error.code]).toEqual(['error', 'sensitive_words_detected'])
    expect(error.message).not.toContain('ensitive_word')
    expect(await exchange(socket)).toEqual(DONE)
    socket.close(1000)
    const rows = () => fixture.toolkit.logs.list(fixture.root, { type: 4 })
    await expect.poll(async () => JSON.stringify(await rows())).toContain('test_sensitive')
  })

  test('is served by the channel of its model and charged at its end', async () => {
    const fixture = await open()
    const socket = dial(fixture)
    expect(await exchange(socket)).toEqual(DONE)
    socket.close()
    // (11 + 5 × 7) × 3
    await expect.poll(() => charges(fixture)).toMatchObject([{ quota: 138, model_name: MODEL, is_stream: true }])
    const [row] = await charges(fixture)
    expect(JSON.parse(String(row?.other))).toMatchObject({ ws: true, text_input: 11, text_output: 5, audio_input: 0 })
    expect(fixture.upstream.requests[0]?.url).toBe(`/v1/realtime?model=${MODEL}`)
    expect(fixture.upstream.requests[0]?.headers.authorization).toBe(`Bearer ${CHANNEL_KEY}`)
  })

  test("reads its key from a browser's subprotocols", async () => {
    const fixture = await open()
    const socket = dial(fixture, { protocols: ['realtime', `openai-insecure-api-key.${fixture.key}`] })
    expect(await exchange(socket)).toEqual(DONE)
    expect(socket.protocol).toBe('realtime')
    const { headers } = fixture.upstream.requests[0] as IncomingMessage
    expect(headers['sec-websocket-protocol']).not.toContain('beta')
    expect(headers['openai-beta']).toBeUndefined()
    expect(JSON.stringify(headers)).not.toContain(fixture.key)
    expect(headers['sec-websocket-protocol']).toContain(`openai-insecure-api-key.${CHANNEL_KEY}`)
  })

  test('uses the beta version upstream if the client names it as a subprotocol', async () => {
    const fixture = await open()
    const protocols = ['realtime', `openai-insecure-api-key.${fixture.key}`, 'openai-beta.realtime-v1']
    expect(await exchange(dial(fixture, { protocols }))).toEqual(DONE)
    expect(fixture.upstream.requests[0]?.headers['sec-websocket-protocol']).toContain('openai-beta.realtime-v1')
  })

  test('is charged if the gateway stops', async () => {
    const fixture = await open()
    const socket = dial(fixture)
    await exchange(socket)
    const closed = once(socket, 'close')
    await fixture.gateway.close()
    expect((await closed)[0]).toBe(1001)
    expect(await charges(fixture)).toMatchObject([{ quota: 138 }])
  })
})

describe('a session request is rejected by HTTP', () => {
  test.each([
    ['with a wrong key', { key: 'sk-wrong' }, {}, 401, 'invalid_api_key'],
    ['without a model', {}, { query: 'a=b' }, 400, 'model_required'],
    ['for a model without a channel', {}, { query: 'model=unheard-of' }, 404, 'model_not_found'],
  ])('%s', async (_, who, options, status, code) => {
    const fixture = await open()
    const answer = await refusal(dial({ ...fixture, ...who }, options))
    expect(answer).toMatchObject({ status, code, id: expect.any(String) })
    expect(fixture.upstream.requests).toEqual([])
  })

  test('if it requests no upgrade', async () => {
    const { url, key } = await open()
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}/v1/realtime?model=${MODEL}`, { headers })
    expect(answer.status).toBe(400)
  })
})

test('an upgrade at any other path is rejected like that path', async () => {
  const { url, key } = await open()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/nothing`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(await refusal(socket)).toMatchObject({ status: 404 })
})

test('a client that offers HTTP/2 is served without it', async () => {
  const { url } = await open()
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /)
})

describe('an ephemeral key', () => {
  const SESSION = { type: 'realtime', model: MODEL, instructions: 'be kind' }
  const create = async ({ url, key }: Pick<Fixture, 'url' | 'key'>, body: object, path = 'client_secrets') => {
    const response = await fetch(`${url}/v1/realtime/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  const asBrowser = (key: string) => ({ query: '', protocols: ['realtime', `openai-insecure-api-key.${key}`] })

  test('opens a session of its model for a browser, with its settings first, paid by its owner', async () => {
    const fixture = await open()
    const { status, body } = await create(fixture, {
      session: SESSION,
      expires_after: { anchor: 'created_at', seconds: 60 },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      value: expect.stringMatching(/^ek_/),
      session: { ...SESSION, object: 'realtime.session' },
    })
    expect(body.expires_at - Date.now() / 1000).toBeGreaterThan(50)

    const socket = dial(fixture, asBrowser(body.value))
    // The answer to the settings.
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data))).toEqual(DONE)
    expect(fixture.upstream.heard).toEqual([
      { type: 'session.update', session: { type: 'realtime', instructions: 'be kind' } },
    ])
    expect(fixture.upstream.requests[0]?.url).toBe(`/v1/realtime?model=${MODEL}`)
    expect(JSON.stringify(fixture.upstream.requests[0]?.headers)).not.toContain('ek_')
    socket.close()
    await expect.poll(() => charges(fixture)).toMatchObject([{ quota: 138, token_id: fixture.bought.id }])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test("of the beta's path is valid for a minute, and opens a session by its header", async () => {
    const fixture = await open()
    const { body } = await create(fixture, { model: MODEL, voice: 'ash' }, 'sessions')
    expect(body).toMatchObject({
      object: 'realtime.session',
      voice: 'ash',
      client_secret: { value: expect.any(String) },
    })
    const socket = dial({ ...fixture, key: body.client_secret.value })
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toEqual(DONE)
  })

  test('ends with the API key that created it', async () => {
    const fixture = await open()
    const { body } = await create(fixture, { session: SESSION })
    await fixture.toolkit.tokens.delete(fixture.person, fixture.bought.id)
    expect(await refusal(dial(fixture, asBrowser(body.value)))).toMatchObject({ status: 401 })
    expect(fixture.upstream.requests).toEqual([])
  })

  test('opens no session after its expiry, or of another model, and is not valid elsewhere', async () => {
    const fixture = await open()
    const { body } = await create(fixture, { session: SESSION })
    expect(await refusal(dial(fixture, { ...asBrowser(body.value), query: 'model=other' }))).toMatchObject({
      status: 403,
    })
    const chat = await fetch(`${fixture.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.value}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [] }),
    })
    expect(chat.status).toBe(401)
    await fixture.toolkit.db.transaction((trx) => trx('realtime_keys').update({ expires_at: 1 }))
    expect(await refusal(dial(fixture, asBrowser(body.value)))).toMatchObject({ status: 401 })
    expect(await fixture.toolkit.realtimeKeys.trim()).toBe(1)
  })

  test("is rejected for calls beyond the API key's rights, and for invalid settings", async () => {
    const fixture = await open({ token: { model_limits_enabled: true, model_limits: 'other' } })
    expect(await create(fixture, { session: SESSION })).toMatchObject({ status: 403 })
    const other = await open()
    for (const [body, status] of [
      [{ session: 'x' }, 400],
      [{ session: {} }, 400],
      [{ session: { model: 'unheard-of' } }, 404],
      [{ session: SESSION, expires_after: { seconds: 9 } }, 400],
      [{ session: { ...SESSION, instructions: 'x'.repeat(70_000) } }, 400],
    ] as const)
      expect(await create(other, body)).toMatchObject({ status })
    expect(await create({ ...other, key: 'sk-wrong' }, { session: SESSION })).toMatchObject({ status: 401 })
  })
})
