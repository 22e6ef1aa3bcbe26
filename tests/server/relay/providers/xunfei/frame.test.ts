import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { sparkFrame } from '../../../../../server/relay/providers/xunfei/frame.ts'
import { sparkService } from '../../../../../server/relay/providers/xunfei/service.ts'
import { signedUrl } from '../../../../../server/relay/providers/xunfei/signed-url.ts'
import { liveChannel } from '../../../../support/ask.ts'

const turnOf = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] })

function frameOf(fields: Partial<Conversation>, { systemRole = true } = {}) {
  const conversation = { turns: [turnOf('user', 'hi')], tools: [], extras: {}, ...fields }
  return sparkFrame(conversation, { service: { domain: 'generalv3.5', systemRole }, appId: 'app1' })
}
const textOf = (frame: Record<string, unknown>) => (frame.payload as { message: { text: unknown } }).message.text

describe('the signed address of a Spark websocket', () => {
  test('has the documented signature', () => {
    const url = signedUrl(new URL('wss://spark-api.xf-yun.com/v3.5/chat'), {
      apiKey: 'apikey',
      apiSecret: 'apisecret',
      nowMs: 1_700_000_000_000,
    })
    const authorization =
      'aG1hYyB1c2VybmFtZT0iYXBpa2V5IiwgYWxnb3JpdGhtPSJobWFjLXNoYTI1NiIsIGhlYWRlcnM9Imhvc3QgZGF0ZSByZXF1ZXN0LWxpbmUiLCBzaWduYXR1cmU9IkZrUHZqcUZ3N0tYU2RDelE3eWVEZHZQZCtjUkQ4VVhNSmVEMjV4d2FXcVk9Ig=='
    expect(new URL(url).searchParams.get('authorization')).toBe(authorization)
    expect(Buffer.from(authorization, 'base64').toString()).toContain(
      'signature="FkPvjqFw7KXSdCzQ7yeDdvPd+cRD8UXMJeD25xwaWqY="',
    )
    expect(url).toBe(
      'wss://spark-api.xf-yun.com/v3.5/chat?host=spark-api.xf-yun.com&date=Tue%2C%2014%20Nov%202023%2022%3A13%3A20%20GMT' +
        `&authorization=${encodeURIComponent(authorization)}`,
    )
  })

  test('signs the target host, with its port', () => {
    const url = signedUrl(new URL('ws://127.0.0.1:8123/v1.1/chat'), { apiKey: 'k', apiSecret: 's', nowMs: 0 })
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:8123\/v1\.1\/chat\?host=127\.0\.0\.1%3A8123&date=/)
  })
})

describe('the version of Spark', () => {
  const find = (model: string, { query = '', other = '' } = {}) =>
    sparkService({ model, query }, liveChannel(18, { other }))

  test.each([
    ['SparkDesk', '/v1.1/chat', 'lite'],
    ['SparkDesk-v1.1', '/v1.1/chat', 'lite'],
    ['SparkDesk-v2.1', '/v2.1/chat', 'generalv2'],
    ['SparkDesk-v3.1', '/v3.1/chat', 'generalv3'],
    ['SparkDesk-v3.5', '/v3.5/chat', 'generalv3.5'],
    ['SparkDesk-v4.0', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk-pro-128k', '/chat/pro-128k', 'pro-128k'],
    ['SparkDesk-max-32k', '/chat/max-32k', 'max-32k'],
    ['4.0Ultra', '/v4.0/chat', '4.0Ultra'],
    ['generalv3.5', '/v3.5/chat', 'generalv3.5'],
    ['SparkDesk-v9.9', '/v9.9/chat', 'generalv9.9'],
  ])('%s is at %s, called %s', (model, path, domain) => {
    expect(find(model)).toMatchObject({ path, domain })
  })

  test("is that of the model’s name, else the client's, else the channel’s, else v1.1", () => {
    const other = 'v2.1'
    expect(find('SparkDesk', { query: 'api-version=v3.1', other }).domain).toBe('generalv3')
    expect(find('SparkDesk-v3.5', { other }).domain).toBe('generalv3.5')
    expect(find('SparkDesk', { other }).domain).toBe('generalv2')
    expect(find('SparkDesk').domain).toBe('lite')
  })

  test.each(['SparkDesk-v1.1', 'lite'])(
    'of %s cannot be changed by the client, because the price depends on the name',
    (model) => {
      expect(find(model, { query: 'api-version=v4.0' }).domain).toBe('lite')
    },
  )

  test.each(['constructor', '__proto__', 'toString'])('%s is unknown', (version) => {
    const unknown = { path: `/${version}/chat`, domain: `general${version}` }
    expect(find('SparkDesk', { query: `api-version=${version}` })).toMatchObject(unknown)
    expect(find(`SparkDesk-${version}`)).toMatchObject({ path: expect.stringMatching(/^\/[a-z_]+\/chat$/i) })
  })

  test('cannot escape its place in the address', () => {
    expect(find('SparkDesk', { query: 'api-version=..%2Fadmin%3Fx' }).path).toBe('/..%2Fadmin%3Fx/chat')
  })
})

describe('the frame sent to Spark', () => {
  test('matches the documentation, byte for byte', () => {
    const frame = frameOf({ temperature: 0.5, topK: 4, maxTokens: 100, user: 'u'.repeat(40) })
    expect(JSON.stringify(frame)).toBe(
      `{"header":{"app_id":"app1","uid":"${'u'.repeat(32)}"},` +
        '"parameter":{"chat":{"domain":"generalv3.5","temperature":0.5,"top_k":4,"max_tokens":100,"auditing":"default"}},' +
        '"payload":{"message":{"text":[{"role":"user","content":"hi"}]}}}',
    )
  })

  test.each([
    [{ temperature: 0 }, { temperature: 0.01 }],
    [{ temperature: 2 }, { temperature: 1 }],
    [{ topK: 0 }, { top_k: 1 }],
    [{ topK: 40 }, { top_k: 6 }],
  ])('%j becomes %j', (fields, chat) => {
    expect(frameOf(fields).parameter).toMatchObject({ chat })
  })

  test('has a system message if supported; later instructions become user messages', () => {
    const turns = [turnOf('system', 'a'), turnOf('system', 'b'), turnOf('user', 'hi'), turnOf('system', 'c')]
    expect(textOf(frameOf({ turns }))).toEqual([
      { role: 'system', content: 'a\nb' },
      { role: 'user', content: 'hi\nc' },
    ])
  })

  test('otherwise has instructions as a user message with a confirmation', () => {
    const turns = [turnOf('system', 'a'), turnOf('user', 'hi')]
    expect(textOf(frameOf({ turns }, { systemRole: false }))).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'Okay' },
      { role: 'user', content: 'hi' },
    ])
  })

  test('does not start with an assistant', () => {
    expect(textOf(frameOf({ turns: [turnOf('assistant', 'a'), turnOf('user', 'b')] }))).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
    ])
  })

  test('with a picture is rejected with the name of the field', () => {
    const image: Part = { kind: 'image', media: { data: 'AA==', mime: 'image/png' } }
    expect(() => frameOf({ turns: [{ role: 'user', parts: [image] }] })).toThrow(/messages: .*texts only/)
  })

  test('for several replies is rejected', () => {
    expect(() => frameOf({ choices: 2 })).toThrow(/n must be 1: /)
  })
})
