import { describe, expect, test } from 'vitest'
import { withoutKey } from '../../../server/relay/admission/admission.ts'
import { normalizeBody, normalizeFrame } from '../../../server/relay/admission/normalize-body.ts'
import { withoutServiceTier } from '../../../server/relay/attempt/service-tier.ts'

const sound = (text: string) => normalizeBody(Buffer.from(text), JSON.parse(text)).raw.toString()

describe('an ambiguous body is forwarded as it was priced', () => {
  test.each([
    ['the model three times', '{"model":"dear","Model":"dear","model":"cheap"}', '{"model":"cheap"}'],
    ['a count in another case', '{"model":"m","N":8}', '{"model":"m"}'],
    ['a key twice, with a space before its colon', '{"n":1,"n" :8}', '{"n":8}'],
    ['an escaped letter', '{"\\u006dodel":"dear","model":"cheap"}', '{"model":"cheap"}'],
    ['an escaped letter in another case', '{"model":"cheap","\\u004dodel":"dear"}', '{"model":"cheap"}'],
    [
      'the messages twice',
      '{"messages":[{"content":"bad"}],"model":"m","messages":[{"content":"good"}]}',
      '{"messages":[{"content":"good"}],"model":"m"}',
    ],
    [
      'a key twice, deep down, between strings that look like keys',
      '{"a":[1,{"b":"\\\\","c":{"t\\":":"bad","t\\"\\u003a" :"\\\\\\":"}}],"é":{}}',
      '{"a":[1,{"b":"\\\\","c":{"t\\":":"\\\\\\":"}}],"é":{}}',
    ],
    ['a name that objects have by nature', '{"__proto__":1.0,"__proto__":2}', '{"__proto__":2}'],
  ])('%s', (_, text, expected) => {
    expect(sound(text)).toBe(expected)
  })

  test('the parsed value is forwarded, in translations too', () => {
    const text = '{"model":"m","Max_Tokens":9}'

    expect(normalizeBody(Buffer.from(text), JSON.parse(text)).body).toEqual({ model: 'm' })
  })

  test.each([
    '{"model" : "m","big":12345678901234567890,"n":1.0}',
    '{"messages":[{"content":"\\"model\\": 1, \\"model\\": 2, size"}],"model":"m"}',
    '{"content":"\\u0022 \\u003cb\\u003e \\u002b \\u00e9 \\u0041","model":"m"}',
    '{"names":["model","model","n"],"model":"m"}',
    '{"model":"m","tools":[{"model":1.0,"a\\\\":{"__proto__":{"a":": \\":"}}},{"a":[]}]}',
  ])('any other body keeps its bytes: %s', (text) => {
    expect(sound(text)).toBe(text)
  })
})

describe('an ambiguous session frame is forwarded as parsed', () => {
  test.each([
    [
      'two sessions',
      '{"type":"session.update","session":{"model":"dear"},"session":{"voice":"a"}}',
      { type: 'session.update', session: { voice: 'a' } },
    ],
    [
      'other cases',
      '{"type":"session.update","Session":{"model":"dear"},"session":{"Model":"dear","voice":"a"}}',
      { type: 'session.update', session: { voice: 'a' } },
    ],
    [
      'two texts',
      '{"type":"x","item":{"content":[{"text":"bad","text":"good"}]}}',
      { type: 'x', item: { content: [{ text: 'good' }] } },
    ],
    ['two types', '{"type":"session.update","session":{"Model":"dear"},"type":"x"}', { type: 'x', session: {} }],
  ])('%s', (_, text, expected) => {
    expect(JSON.parse(normalizeFrame(Buffer.from(text), JSON.parse(text)).toString())).toEqual(expected)
  })

  test('any other frame keeps its bytes', () => {
    const frame = Buffer.from('{"type" : "session.update","session":{"model":"m"},"audio":"AAAA"}')

    expect(normalizeFrame(frame, JSON.parse(frame.toString()))).toBe(frame)
  })
})

describe('the service tier', () => {
  test('is removed in any spelling', () => {
    const body = { model: 'm', service_tier: 'priority', serviceTier: 'priority', Service_Tier: 'priority' }

    expect(withoutServiceTier(body, { allowServiceTier: false })).toEqual({ model: 'm' })
    expect(withoutServiceTier(body, { allowServiceTier: true })).toBe(body)
    const fast = { model: 'm', speed: 'fast', inference_geo: 'us' }
    expect(withoutServiceTier(fast, { allowServiceTier: false })).toEqual({ model: 'm' })
    expect(withoutServiceTier(fast, { allowServiceTier: true })).toBe(fast)
    // A voice has a speed, too.
    const routed = { model: 'm', Provider: { sort: 'price' }, provider: { order: ['Dear'], only: ['Dear'], zdr: true } }
    expect(withoutServiceTier(routed, { allowServiceTier: false })).toEqual({ model: 'm', provider: { zdr: true } })
    expect(withoutServiceTier(routed, { allowServiceTier: true })).toBe(routed)
    const cheap = {
      provider: { sort: 'price', max_price: { prompt: 1 }, data_collection: 'deny', quantizations: ['fp32'] },
    }
    const { quantizations: _, ...kept } = cheap.provider
    expect(withoutServiceTier(cheap, { allowServiceTier: false })).toEqual({ provider: kept })
    expect(withoutServiceTier({ provider: { sort: 'throughput' } }, { allowServiceTier: false })).toEqual({})
    expect(withoutServiceTier({ provider: 'Dear' }, { allowServiceTier: false })).toEqual({})
    expect(withoutServiceTier({ input: 'a', speed: 2 }, { allowServiceTier: false }, 'speech')).toHaveProperty(
      'speed',
      2,
    )
  })

  test('that is absent changes nothing', () => {
    const body = { model: 'm' }

    expect(withoutServiceTier(body, { allowServiceTier: false })).toBe(body)
  })
})

test("a client's key in the query is not forwarded, in any spelling of its name", () => {
  expect(withoutKey('a_key=1&key=sk-1&%6bey=sk-2&k%65y=sk-3&alt=sse')).toBe('a_key=1&alt=sse')
  expect(withoutKey('%6b%65%79=sk-1')).toBe('')
  expect(withoutKey('alt=sse')).toBe('alt=sse')
})
