import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../core/channels/settings/settings.ts'
import { withOverrides as lay } from '../../../server/relay/attempt/overrides.ts'
import type { UpstreamRequest } from '../../../server/relay/providers/provider.ts'

const request = (more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  url: 'https://upstream.example/v1/chat/completions',
  headers: { 'content-type': 'application/json', Authorization: 'Bearer sk-channel' },
  body: '{"model":"m","temperature":1,"stream":true}',
  ...more,
})
const channel = (setting: object, key = 'sk-channel') => ({
  id: 7,
  key,
  settings: parseSettings(JSON.stringify(setting)),
})
function withOverrides(
  sent: UpstreamRequest,
  to: ReturnType<typeof channel>,
  clientHeaders: IncomingHttpHeaders,
  { native = false, raw = Buffer.from('{"as":"sent"}') } = {},
) {
  return lay(sent, { ask: { raw, clientHeaders }, channel: to, native })
}
const bodyOf = ({ body }: UpstreamRequest) => JSON.parse(String(body)) as unknown

test('without overrides the request is unchanged', () => {
  const sent = request()
  expect(withOverrides(sent, channel({}), {})).toBe(sent)
})

describe('params', () => {
  test('replace existing fields and add missing ones, zero and null included', () => {
    const setting = { param_override: { temperature: 0, seed: null, stop: ['a'] } }
    expect(bodyOf(withOverrides(request(), channel(setting), {}))).toEqual({
      model: 'm',
      temperature: 0,
      stream: true,
      seed: null,
      stop: ['a'],
    })
  })

  test('never change whether the reply is a stream', () => {
    const setting = { param_override: { stream: false, top_k: 1 } }
    expect(bodyOf(withOverrides(request(), channel(setting), {}))).toMatchObject({ stream: true, top_k: 1 })
  })

  test('apply to a body of bytes too', () => {
    const sent = request({ body: Buffer.from('{"model":"é"}') })
    expect(bodyOf(withOverrides(sent, channel({ param_override: { a: 1 } }), {}))).toEqual({ model: 'é', a: 1 })
  })

  test('that are new leave all else unchanged', () => {
    const sent = request({ body: ' { "seed": 12345678901234567890, "a":1.0 }' })
    const { body } = withOverrides(sent, channel({ param_override: { b: 2 } }), {})
    expect(body).toBe(' {"b":2, "seed": 12345678901234567890, "a":1.0 }')
  })

  test('fill an empty object', () => {
    expect(withOverrides(request({ body: '{}' }), channel({ param_override: { b: 2 } }), {}).body).toBe('{"b":2}')
  })

  test.each([null, 'no JSON', '[1]', '"text"'])('leave a body unchanged that is no object: %j', (body) => {
    expect(withOverrides(request({ body }), channel({ param_override: { a: 1 } }), {}).body).toBe(body)
  })

  test('leave a streamed body unchanged', () => {
    const body = () => Readable.from(['{}'])
    expect(withOverrides(request({ body }), channel({ param_override: { a: 1 } }), {}).body).toBe(body)
  })

  test("in another program's operation syntax are not sent", () => {
    const setting = { param_override: { operations: [{ path: 'a', mode: 'set', value: 1 }] } }
    expect(withOverrides(request(), channel(setting), {}).body).toBe(request().body)
  })
})

describe("the client's own body", () => {
  const passing = { pass_through_body_enabled: true, param_override: { a: 1 }, header_override: { 'x-team': 'blue' } }

  test('is forwarded unchanged if the upstream speaks its format, with only header overrides', () => {
    const sent = withOverrides(request(), channel(passing), {}, { native: true })
    expect(String(sent.body)).toBe('{"as":"sent"}')
    expect(sent.headers['x-team']).toBe('blue')
  })

  test('is not forwarded if the upstream does not speak its format, nor instead of a form', () => {
    expect(bodyOf(withOverrides(request(), channel(passing), {}))).toMatchObject({ model: 'm', a: 1 })
    const body = () => Readable.from(['form'])
    expect(withOverrides(request({ body }), channel(passing), {}, { native: true }).body).toBe(body)
  })
})

describe('headers', () => {
  test('replace those of any case and add others, with placeholders for key and client headers', () => {
    const setting = {
      header_override: { AUTHORIZATION: 'Token {api_key}', 'X-Team': 'blue-{client_header: X-Request-Source }' },
    }
    const { headers } = withOverrides(request(), channel(setting), { 'x-request-source': 'app' })
    expect(headers).toEqual({
      'content-type': 'application/json',
      authorization: 'Token sk-channel',
      'x-team': 'blue-app',
    })
  })

  test('with empty values are removed, and so are those they replace', () => {
    const setting = { header_override: { authorization: '', 'x-trace': '{client_header:x-trace}' } }
    const { headers } = withOverrides(request(), channel(setting), {})
    expect(headers).toEqual({ 'content-type': 'application/json' })
  })

  test.each([
    'authorization',
    'Authorization',
    ' x-api-key ',
    'x-goog-api-key',
    'api-key',
    'mj-api-secret',
    'cookie',
    'Sec-WebSocket-Protocol',
  ])("never contain a client's credential for this gateway: %s", (name) => {
    const setting = { header_override: { 'x-copy': `a{client_header:${name}}b` } }
    const all = Object.fromEntries(
      [
        'authorization',
        'x-api-key',
        'x-goog-api-key',
        'api-key',
        'mj-api-secret',
        'cookie',
        'sec-websocket-protocol',
      ].map((each) => [each, 'sk']),
    )
    expect(withOverrides(request(), channel(setting), all).headers['x-copy']).toBe('ab')
  })

  test.each(['Host', 'content-length', 'Connection', 'transfer-encoding'])(
    'of the connection are not set, even by an imported row: %s',
    (name) => {
      const setting = { header_override: { [name]: 'x', 'x-kept': 'y' } }
      const { headers } = withOverrides(request(), channel(setting), {})
      expect(Object.keys(headers).map((each) => each.toLowerCase())).not.toContain(name.toLowerCase())
      expect(headers['x-kept']).toBe('y')
    },
  )

  test('with line breaks are not sent', () => {
    const injected = { header_override: { 'x-a': 'b\r\nx-evil: 1', 'x b': 'c', 'x-kept': 'y' } }
    expect(Object.keys(withOverrides(request(), channel(injected), {}).headers)).toEqual([
      'content-type',
      'Authorization',
      'x-kept',
    ])
  })

  test('with a key of several lines are a channel error', () => {
    const setting = { header_override: { 'x-key': '{api_key}' } }
    expect(() => withOverrides(request(), channel(setting, '{\n"type":"service_account"\n}'), {})).toThrow(
      expect.objectContaining({ code: 'CHANNEL_MISCONFIGURED' }),
    )
  })
})
