import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { charges } from '../../support/books.ts'
import { CHANNEL_KEY, MODEL, priceOf } from '../../support/gateway.ts'
import { GOLDEN_CHAT, GOLDEN_MESSAGES } from '../../support/golden-messages.ts'
import { type Exchange, onlyRequest, sendJson } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'
import { sse } from '../../support/wire.ts'

const openRelay = reusedRelay()

const ANTHROPIC = 14
const MESSAGES = sse(...GOLDEN_MESSAGES.map((payload): [string, unknown] => [payload.type, payload]))
const CHAT = `${sse(...GOLDEN_CHAT)}data: [DONE]\n\n`
const REQUEST = { model: MODEL, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }

const { max_tokens: _, ...COUNTED } = REQUEST

const sendStream = (wire: string) => (exchange: Exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
  exchange.response.end(wire)
}

function clientOf({ url, key }: { url: string; key: string }): Anthropic {
  return new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
}

const MEANT = {
  model: MODEL,
  content: [
    { type: 'thinking', thinking: 'Need the weather.' },
    { type: 'text', text: 'Checking.' },
    { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: 'Oslo' } },
    { type: 'tool_use', id: 'call_b', name: 'get_time', input: {} },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 12, cache_read_input_tokens: 8, output_tokens: 12 },
}

describe('an Anthropic client', () => {
  test("gets Anthropic's stream unchanged, and Anthropic gets the client's bytes", async () => {
    const relay = await openRelay(sendStream(MESSAGES), { channel: { type: ANTHROPIC } })
    const body = `{ "model":"${MODEL}", "max_tokens":100, "stream":true, "messages":[{"role":"user","content":"Hi"}] }`
    const headers = { 'x-api-key': relay.key, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'pdfs-2024-09-25' }

    const answer = await fetch(`${relay.url}/v1/messages`, { method: 'POST', headers, body })

    expect(await answer.text()).toBe(MESSAGES)
    const request = onlyRequest(relay.upstream)
    expect(request.raw.toString()).toBe(body)
    expect(request.path).toBe('/v1/messages')
    expect(request.headers).toMatchObject({ 'x-api-key': CHANNEL_KEY, 'anthropic-beta': 'pdfs-2024-09-25' })
  })

  test('gets the end of a stream that breaks off after its stop reason, and pays its usage', async () => {
    const broken = MESSAGES.slice(0, MESSAGES.indexOf('event: message_stop'))
    const relay = await openRelay(
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(broken, () => response.destroy())
      },
      { channel: { type: ANTHROPIC } },
    )
    expect(await clientOf(relay).messages.stream(REQUEST).finalMessage()).toMatchObject({ ...MEANT, model: 'm' })
    expect(await charges(relay)).toMatchObject([{ completion_tokens: 12 }])
  })

  test('reads the requested name if the channel maps the model', async () => {
    const model_mapping = JSON.stringify({ [MODEL]: 'claude-sonnet-4-5' })
    const relay = await openRelay(sendStream(MESSAGES), { channel: { type: ANTHROPIC, model_mapping } })
    expect(await clientOf(relay).messages.stream(REQUEST).finalMessage()).toMatchObject(MEANT)
    expect(onlyRequest(relay.upstream).body.model).toBe('claude-sonnet-4-5')
  })

  test('reads the same from an upstream of chat completions', async () => {
    const relay = await openRelay(sendStream(CHAT))
    expect(await clientOf(relay).messages.stream(REQUEST).finalMessage()).toMatchObject(MEANT)
    expect(onlyRequest(relay.upstream)).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
    })
  })

  test('gets a token count from Anthropic', async () => {
    const count = (exchange: Exchange) => sendJson(exchange, { input_tokens: 77 })
    const relay = await openRelay(count, { channel: { type: ANTHROPIC } })
    expect(await clientOf(relay).messages.countTokens(COUNTED)).toEqual({ input_tokens: 77 })
    expect(onlyRequest(relay.upstream).path).toBe('/v1/messages/count_tokens')
  })

  test('gets our token count if the upstream has none', async () => {
    const relay = await openRelay(sendStream(CHAT))
    const { input_tokens } = await clientOf(relay).messages.countTokens(COUNTED)
    expect(input_tokens).toBeGreaterThan(0)
    expect(relay.upstream.seen).toEqual([])
  })

  test("reads errors in Anthropic's format", async () => {
    const relay = await openRelay((exchange) => sendJson(exchange, { error: { message: 'No' } }, 429))
    const failed = (client: Anthropic, body: object = REQUEST) =>
      client.messages.create(body as typeof REQUEST).catch((error: unknown) => error)

    expect(await failed(clientOf({ ...relay, key: 'sk-wrong' }))).toBeInstanceOf(Anthropic.AuthenticationError)
    const bad = await failed(clientOf(relay), { ...REQUEST, max_tokens: undefined })
    expect(bad).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(String(bad)).toContain('max_tokens')
    expect(await failed(clientOf(relay))).toMatchObject({ status: 429, type: 'rate_limit_error' })
  })

  test('gets an error that forbids a retry if its balance is exhausted', async () => {
    const relay = await openRelay(sendStream(CHAT), { user: { quota: 0 } })
    const answer = await fetch(`${relay.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': relay.key },
      body: JSON.stringify(REQUEST),
    })
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.headers.get('request-id')).toBeTruthy()
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } })
  })
})

describe('a client of chat completions', () => {
  test("reads Anthropic's reply in its own format, and pays for the whole prompt", async () => {
    const relay = await openRelay(sendStream(MESSAGES), { channel: { type: ANTHROPIC } })

    const { text } = await relay.chat({ ...REQUEST, stream: true, stream_options: { include_usage: true } })

    for (const content of [
      '"reasoning_content":"Need the weather."',
      '"content":"Checking."',
      '"finish_reason":"tool_calls"',
    ])
      expect(text).toContain(content)
    expect(text).toContain('"prompt_tokens":20')
    expect(onlyRequest(relay.upstream).body).toMatchObject({ model: MODEL, max_tokens: 100, stream: true })
    const { used_quota } = await relay.toolkit.accounts.get(relay.root, relay.person.id)
    expect(used_quota).toBe(priceOf(20, 12))
  })
})
