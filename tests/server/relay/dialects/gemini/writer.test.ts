import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import type { RelayError, ReplyContext } from '../../../../../server/relay/dialects/dialect.ts'
import { geminiDialect } from '../../../../../server/relay/dialects/gemini/dialect.ts'
import type { Json } from '../../../../../server/relay/json.ts'
import { contentReader } from '../../../../../server/relay/providers/gemini/content-reader.ts'
import { GOLDEN } from '../../../../support/gemini-golden.ts'
import { readStream, sse, streamEvents } from '../../../../support/wire.ts'

const THOUGHTS = { generationConfig: { thinkingConfig: { includeThoughts: true } } }
const context = (more: Partial<ReplyContext> = {}): ReplyContext => ({
  requestId: 'req-1',
  model: 'm',
  created: 1_700_000_000,
  body: {},
  query: 'alt=sse',
  renamesModel: false,
  promptTokens: 20,
  ...more,
})
const USAGE = { ...plainUsage(20, 12), cachedTokens: 8, reasoningTokens: 4 }
const ERROR: RelayError = { status: 503, message: 'Gone', type: 't', param: null, code: null, requestId: 'req-1' }

function written(events: ReplyEvent[], more: Partial<ReplyContext> = {}): string {
  const writer = geminiDialect.writer(context(more))
  return events.map((event) => writer.write(event)).join('') + writer.end(USAGE)
}
const chunks = (wire: string) => streamEvents(wire).map(({ payload }) => payload as Json)
const call = (index: number, name: string): ReplyEvent => ({ kind: 'call', call: index, id: `id${index}`, name })
const args = (index: number, text: string): ReplyEvent => ({ kind: 'arguments', call: index, text })

describe('a stream', () => {
  test('of the golden reply is read back unchanged', () => {
    const events = readStream(contentReader(), sse(...GOLDEN))
    expect(chunks(written(events, { body: THOUGHTS }))).toEqual(
      GOLDEN.map(({ usageMetadata, ...rest }, at) => ({ ...rest, ...(at === GOLDEN.length - 1 && { usageMetadata }) })),
    )
  })

  test('has each event on one data line, a final blank line, and no [DONE]', () => {
    const wire = written([{ kind: 'text', text: 'a\nb' }, { kind: 'stop', reason: 'stop' }, { kind: 'end' }])
    const events = wire.split('\n\n')
    expect(events.pop()).toBe('')
    for (const event of events) expect(event).toMatch(/^data: \{.*\}$/)
    expect(wire).not.toContain('[DONE]')
  })

  test('has thoughts only on request', () => {
    const events: ReplyEvent[] = [
      { kind: 'reasoning', text: 'hm' },
      { kind: 'signature', signature: 's' },
      { kind: 'text', text: 'a' },
    ]
    expect(written(events)).not.toContain('thought"')
    const encoded = Buffer.from('tollgate:s').toString('base64')
    expect(chunks(written(events, { body: THOUGHTS })).slice(0, 2)).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }] },
      { candidates: [{ content: { parts: [{ text: '', thought: true, thoughtSignature: encoded }] } }] },
    ])
  })

  test('has whole calls only, however their arguments arrive', () => {
    const events = [call(0, 'f'), call(1, 'g'), args(1, '{"b"'), args(0, '{"a":'), args(1, ':2}'), args(0, '1}')]
    const [calls, last] = chunks(written([...events, { kind: 'stop', reason: 'tools' }]))
    expect(calls).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: 'id0', name: 'f', args: { a: 1 } } },
              { functionCall: { id: 'id1', name: 'g', args: { b: 2 } } },
            ],
          },
        },
      ],
    })
    expect(calls).not.toHaveProperty('candidates.0.finishReason')
    expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
  })

  test('has its calls even without a stop', () => {
    expect(written([call(0, 'f')])).toContain('"functionCall":{"id":"id0","name":"f","args":{}}')
  })

  test('keeps arguments that are not an object readable', () => {
    expect(written([call(0, 'f'), args(0, '{"a":')])).toContain('"args":{"arguments":"{\\"a\\":"}')
  })

  test.each([
    ['stop', 'STOP'],
    ['tools', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['filter', 'SAFETY'],
  ] as const)('that ends with %s has %s', (reason, finishReason) => {
    expect(chunks(written([{ kind: 'stop', reason }])).at(-1)).toMatchObject({
      candidates: [{ finishReason, content: { parts: [{ text: '' }] } }],
      usageMetadata: {
        promptTokenCount: 20,
        candidatesTokenCount: 8,
        thoughtsTokenCount: 4,
        cachedContentTokenCount: 8,
        totalTokenCount: 32,
      },
    })
  })

  test('keeps candidates separate and ends them together', () => {
    const events: ReplyEvent[] = [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b', choice: 1 },
      { kind: 'stop', reason: 'stop' },
      { kind: 'stop', reason: 'length', choice: 1 },
    ]
    const all = chunks(written(events))
    expect(all).toHaveLength(3)
    expect(all.at(-1)).toMatchObject({
      candidates: [
        { index: 0, finishReason: 'STOP' },
        { index: 1, finishReason: 'MAX_TOKENS' },
      ],
    })
  })

  test('has pictures, audio, refusals and sources', () => {
    const events: ReplyEvent[] = [
      { kind: 'image', data: 'AAAA', mime: 'image/png' },
      { kind: 'audio', audio: { data: 'BBBB', transcript: 'said' } },
      { kind: 'refusal', text: 'ü No.' },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'A', start: 2, end: 5 } },
    ]
    const wire = written(events)
    for (const part of ['"inlineData":{"mimeType":"image/png","data":"AAAA"}', '"text":"said"', '"text":"ü No."'])
      expect(wire).toContain(part)
    expect(chunks(wire).at(-1)).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
            groundingSupports: [{ segment: { startIndex: 3, endIndex: 6, text: 'No.' }, groundingChunkIndices: [0] }],
          },
        },
      ],
    })
  })

  test('that breaks off ends with an error', () => {
    const writer = geminiDialect.writer(context())
    const error = '{"error":{"code":503,"message":"Gone","status":"UNAVAILABLE"}}'
    expect(writer.interrupted(ERROR)).toBe(`data: ${error}\n\n`)
    expect(streamEvents(writer.interrupted(ERROR)).map(({ data }) => data)).toEqual([error])
    expect(geminiDialect.forwarder(context()).broken?.(ERROR)).toBe(writer.interrupted(ERROR))
  })

  test('is a JSON array unless events are requested', () => {
    const events: ReplyEvent[] = [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'stop', reason: 'stop' },
    ]
    const writer = geminiDialect.writer(context({ query: '' }))
    expect(writer.contentType).toMatch(/^application\/json/)
    const text = events.map((event) => writer.write(event)).join(writer.ping ?? 'no ping')
    expect(JSON.parse(text + writer.end(USAGE))).toHaveLength(3)
    expect(JSON.parse(text + writer.interrupted(ERROR))).toMatchObject([{}, {}, { error: { code: 503 } }])
    expect(JSON.parse(written([], { query: 'alt=json' }))).toHaveLength(1)
  })
})

test('a whole reply has all content in its candidates', () => {
  const events = readStream(contentReader(), sse(...GOLDEN))
  const reply = collect([...events, { kind: 'end' }])
  expect(geminiDialect.whole(reply, USAGE, context({ body: THOUGHTS }))).toEqual({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Need the weather.', thought: true },
            { text: 'Checking.' },
            { functionCall: { id: 'call_a', name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
            { functionCall: { id: 'call_b', name: 'get_time', args: {} } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: GOLDEN.at(-1)?.usageMetadata,
    modelVersion: 'm',
    responseId: 'r1',
  })
  expect(JSON.stringify(geminiDialect.whole(reply, USAGE, context()))).not.toContain('Need the weather.')
})

describe('native Gemini events', () => {
  const wire = sse(...GOLDEN)
  const passed = (more: Partial<ReplyContext>, bytes = wire, usage?: typeof USAGE) => {
    const forwarder = geminiDialect.forwarder(context(more))
    return (
      streamEvents(bytes)
        .map((event) => String(forwarder.forward(event) ?? ''))
        .join('') + forwarder.end(usage)
    )
  }

  test('are forwarded unchanged', () => {
    expect(passed({})).toBe(wire)
    expect(passed({}, wire.replaceAll('\n', '\r\n'))).toBe(wire.replaceAll('\n', '\r\n'))
  })

  test('are reframed if an SDK would skip them', () => {
    const [first] = GOLDEN
    expect(passed({}, `: comment\ndata: ${JSON.stringify(first)}`)).toBe(sse(first))
    expect(passed({}, `event: message\nid: 1\n${sse(first)}data: [DONE]\n\n`)).toBe(sse(first))
  })

  test('have the requested model name', () => {
    expect(chunks(passed({ renamesModel: true, model: 'mine' })).map(({ modelVersion }) => modelVersion)).toEqual(
      Array(4).fill('mine'),
    )
  })

  test('become a JSON array unless events are requested', () => {
    expect(JSON.parse(passed({ query: 'key=x' }))).toEqual(GOLDEN)
    expect(JSON.parse(passed({ query: '' }, ''))).toEqual([])
    expect(geminiDialect.errorEvent(ERROR, context({ query: '' }))).toBe(
      ',\n{"error":{"code":503,"message":"Gone","status":"UNAVAILABLE"}}]',
    )
  })

  test('are followed by the usage if the upstream sent none', () => {
    expect(chunks(passed({}, wire, USAGE)).at(-1)).toMatchObject({ usageMetadata: { totalTokenCount: 32 } })
  })

  test('end with the one that has a finish reason', () => {
    const forwarder = geminiDialect.forwarder(context())
    expect(streamEvents(wire).map((event) => forwarder.isLast(event))).toEqual([false, false, false, true])
    const others = [{ promptFeedback: { blockReason: 'SAFETY' } }, { error: {} }, { candidates: [{}] }, {}]
    expect(streamEvents(sse(...others)).map((event) => forwarder.isLast(event))).toEqual([true, true, false, false])
  })
})

describe('errors', () => {
  test.each([
    [400, null, 'INVALID_ARGUMENT'],
    [401, null, 'UNAUTHENTICATED'],
    [402, null, 'RESOURCE_EXHAUSTED'],
    [403, null, 'PERMISSION_DENIED'],
    [403, 'insufficient_user_quota', 'RESOURCE_EXHAUSTED'],
    [403, 'insufficient_token_quota', 'RESOURCE_EXHAUSTED'],
    [404, null, 'NOT_FOUND'],
    [413, null, 'INVALID_ARGUMENT'],
    [429, null, 'RESOURCE_EXHAUSTED'],
    [500, null, 'INTERNAL'],
    [502, null, 'INTERNAL'],
    [503, null, 'UNAVAILABLE'],
    [504, null, 'DEADLINE_EXCEEDED'],
    [418, null, 'INVALID_ARGUMENT'],
  ])('%i %s is %s', (status, code, word) => {
    expect(geminiDialect.error({ ...ERROR, status, code }).body).toEqual({
      error: { code: status, message: 'Gone', status: word },
    })
  })
})
