import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import type { Json } from '../../../../../server/relay/json.ts'
import { contentReader } from '../../../../../server/relay/providers/gemini/content-reader.ts'
import { contentUsage } from '../../../../../server/relay/providers/gemini/usage.ts'
import { contextWith } from '../../../../support/ask.ts'
import { GOLDEN } from '../../../../support/gemini-golden.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const whole = (body: Json, options?: Parameters<typeof contentReader>[0]): ReplyEvent[] =>
  contentReader(options).whole(body)
const parts = (...some: Json[]) => ({ candidates: [{ content: { role: 'model', parts: some }, index: 0 }] })
const stopOf = (events: ReplyEvent[]) => events.find(({ kind }) => kind === 'stop')

describe('the golden stream', () => {
  const wire = sse(...GOLDEN)

  test.each([
    ['whole', wire, undefined],
    ['in pieces of 37 bytes', wire, 37],
    ['with CRLF', wire.replaceAll('\n', '\r\n'), 37],
    ['without its last blank line', wire.trimEnd(), undefined],
  ])('is read the same %s', (_, bytes, pieceBytes) => {
    const reply = collect(readStream(contentReader(), bytes, pieceBytes === undefined ? {} : { pieceBytes }))
    expect(reply).toMatchObject({
      id: 'r1',
      model: 'm',
      usage: { promptTokens: 20, completionTokens: 12, reasoningTokens: 4, cachedTokens: 8 },
      choices: [
        {
          text: 'Checking.',
          reasoning: [{ text: 'Need the weather.' }],
          calls: [
            { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}', signature: 'c2ln' },
            { id: 'call_b', name: 'get_time', arguments: '{}' },
          ],
          stop: 'tools',
        },
      ],
    })
  })

  test('has no end marker: the finish reason is the end', () => {
    expect(readStream(contentReader(), wire).some(({ kind }) => kind === 'end')).toBe(false)
  })
})

describe('parts', () => {
  test('a call without an id gets a unique one', () => {
    const events = whole(parts({ functionCall: { name: 'f' } }, { functionCall: { name: 'f', args: { a: 1 } } }))
    const calls = events.filter((event) => event.kind === 'call')
    expect(calls.map(({ call, name }) => [call, name])).toEqual([
      [0, 'f'],
      [1, 'f'],
    ])
    for (const { id } of calls) expect(id).toMatch(/^call_[0-9a-z]{24}$/)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(events.filter((event) => event.kind === 'arguments').map(({ text }) => text)).toEqual(['{}', '{"a":1}'])
  })

  test('calls are numbered across events to the end', () => {
    const wire = sse(parts({ functionCall: { name: 'f' } }), parts({ functionCall: { name: 'g' } }), {
      candidates: [{ finishReason: 'STOP', index: 0 }],
    })
    const events = readStream(contentReader(), wire)
    expect(events.flatMap((event) => (event.kind === 'call' ? [event.call] : []))).toEqual([0, 1])
    expect(stopOf(events)).toMatchObject({ reason: 'tools' })
  })

  test('signatures of calls are cached for clients that lose them', () => {
    const { signatures } = contextWith()
    whole(parts({ functionCall: { id: 'x', name: 'f' }, thoughtSignature: 'c2ln' }), { signatures })
    expect(signatures.get('x')).toBe('c2ln')
  })

  test('a tool with free text gets its text', () => {
    const events = whole(parts({ functionCall: { name: 'patch', args: { input: 'a\nb' } } }), {
      customToolNames: new Set(['patch']),
    })
    expect(events).toMatchObject([{ kind: 'call', custom: true }, { kind: 'arguments', text: 'a\nb' }, { kind: 'end' }])
  })

  test('include pictures and audio', () => {
    const events = whole(
      parts(
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { inlineData: { mimeType: 'audio/pcm', data: 'BBBB' } },
      ),
    )
    expect(events).toMatchObject([
      { kind: 'image', mime: 'image/png', data: 'AAAA' },
      { kind: 'audio', audio: { data: 'BBBB' } },
      { kind: 'end' },
    ])
  })

  test('code and its output are text in fences', () => {
    const events = whole(
      parts(
        { executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ),
    )
    expect(collect(events).choices[0]?.text).toBe('\n```python\nprint(1)\n```\n\n```\n1\n```\n')
  })

  test('unknown parts are ignored', () => {
    expect(whole(parts({ hologram: {} }, { text: 'a' }, { functionCall: {} }))).toMatchObject([
      { kind: 'text', text: 'a' },
      { kind: 'end' },
    ])
    expect(whole({})).toEqual([{ kind: 'end' }])
    expect(whole({ candidates: null })).toEqual([{ kind: 'end' }])
  })

  test('several candidates stay separate', () => {
    const reply = collect(
      whole({
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
          { content: { parts: [{ functionCall: { name: 'f' } }] }, finishReason: 'STOP', index: 1 },
        ],
      }),
    )
    expect(reply.choices).toMatchObject([
      { text: 'a', stop: 'stop', calls: [] },
      { text: '', stop: 'tools', calls: [{ name: 'f' }] },
    ])
  })

  test('sources become citations, once, at their positions', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: { uri: 'https://b.example' } }],
      groundingSupports: [{ segment: { startIndex: 4, endIndex: 7, text: 'abc' }, groundingChunkIndices: [0] }],
    }
    const event = { candidates: [{ groundingMetadata, index: 0 }] }
    const events = readStream(contentReader(), sse(parts({ text: 'üäabc' }), event, event))
    expect(events.filter(({ kind }) => kind === 'citation')).toEqual([
      {
        kind: 'citation',
        choice: 0,
        citation: { url: 'https://a.example', title: 'A', start: 2, end: 5, quote: 'abc' },
      },
      { kind: 'citation', choice: 0, citation: { url: 'https://b.example' } },
    ])
  })

  test("log probabilities are in OpenAI's format", () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'a', logProbability: -0.5 }],
      topCandidates: [{ candidates: [{ token: 'b', logProbability: -1 }] }],
    }
    expect(whole({ candidates: [{ logprobsResult }] })[0]).toMatchObject({
      kind: 'logprobs',
      logprobs: { content: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -1 }] }] },
    })
  })
})

describe('the end', () => {
  test.each([
    ['STOP', 'stop'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
    ['MAX_TOKENS', 'length'],
    ...[
      'SAFETY',
      'RECITATION',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'LANGUAGE',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
    ].map((name) => [name, 'filter']),
    ...[
      'MALFORMED_FUNCTION_CALL',
      'UNEXPECTED_TOOL_CALL',
      'TOO_MANY_TOOL_CALLS',
      'NO_IMAGE',
      'IMAGE_OTHER',
      'OTHER',
      'NEW_ONE',
    ].map((name) => [name, 'stop']),
  ])('%s is %s, even without any part', (finishReason, reason) => {
    expect(stopOf(whole({ candidates: [{ finishReason }] }))).toMatchObject({ reason })
  })

  test.each(['MAX_TOKENS', 'SAFETY'])('%s stays unchanged after a call', (finishReason) => {
    const body = { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] }, finishReason }] }
    expect(stopOf(whole(body))).not.toMatchObject({ reason: 'tools' })
  })

  test('a blocked prompt is a filtered reply, not an error', () => {
    const events = whole({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 } })
    expect(events).toMatchObject([{ kind: 'usage' }, { kind: 'stop', reason: 'filter' }, { kind: 'end' }])
  })

  test('the prompt size is sent before the first text, for formats that start with it', () => {
    const candidates = [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }]
    const events = whole({ candidates, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } })
    expect(events.map(({ kind }) => kind)).toEqual(['usage', 'text', 'stop', 'end'])
  })

  test('an error in a successful reply is one error, also in an array', () => {
    const error = { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' }
    const wanted = [
      { kind: 'error', error: { message: 'Overloaded', type: 'UNAVAILABLE', code: 'UNAVAILABLE', status: 503 } },
    ]
    expect(whole({ error })).toEqual(wanted)
    expect(readStream(contentReader(), sse({ error }))).toEqual(wanted)
    expect(readStream(contentReader(), `data: [${JSON.stringify({ error })}]\n\n`)).toEqual(wanted)
    expect(whole({ error: null, candidates: [] })).toEqual([{ kind: 'end' }])
  })
})

describe('usage', () => {
  test('reasoning is completion, tool results are prompt, and cached tokens are part of it', () => {
    const usage = contentUsage({
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 3,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 2 }],
      candidatesTokensDetails: [
        { modality: 'TEXT', tokenCount: 1 },
        { modality: 'AUDIO', tokenCount: 6 },
      ],
    })
    expect(usage).toMatchObject({
      promptTokens: 15,
      completionTokens: 10,
      cachedTokens: 4,
      reasoningTokens: 3,
      audioPromptTokens: 2,
      audioCompletionTokens: 6,
    })
  })

  test('of zero is undefined, and the last one counts', () => {
    expect(contentUsage({ promptTokenCount: 0, totalTokenCount: 0 })).toBeUndefined()
    expect(contentUsage(undefined)).toBeUndefined()
    const wire = sse(
      ...[1, 2, 3].map((candidatesTokenCount) => ({ usageMetadata: { promptTokenCount: 9, candidatesTokenCount } })),
    )
    expect(collect(readStream(contentReader(), wire)).usage).toMatchObject({ promptTokens: 9, completionTokens: 3 })
  })
})
