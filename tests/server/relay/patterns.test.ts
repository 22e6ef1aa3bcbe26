import { describe, expect, test, vi } from 'vitest'
import type { ReplyEvent } from '../../../server/relay/conversation/conversation.ts'
import { forwardingWriter } from '../../../server/relay/delivery/outlets.ts'
import type { ReplyContext } from '../../../server/relay/dialects/dialect.ts'
import { DIALECTS } from '../../../server/relay/dialects/dialects.ts'
import { chatForwarder } from '../../../server/relay/dialects/openai-chat/passing.ts'
import { messagesReader } from '../../../server/relay/providers/anthropic/messages-reader.ts'
import { chatReader } from '../../../server/relay/providers/openai/chat-reader.ts'
import { withThinkTags } from '../../../server/relay/providers/openai/think-tags.ts'
import type { ReplyReader } from '../../../server/relay/providers/provider.ts'
import { readChunks } from '../../../server/relay/transport/chunks.ts'

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', created: 7, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const textChunk = (content: string) => chunk({ content })
const delta = (text: string, index = 0) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })}\n\n`

/** The same reader, but every event must be parsed. */
const withoutRepeats = (reader: ReplyReader): ReplyReader => ({
  event: (event) => reader.event(event),
  whole: (body) => reader.whole(body),
  close: () => reader.close?.() ?? [],
})

/** What a reader makes of each event, with patterns and without. */
async function bothWays(events: readonly string[], newReader: () => ReplyReader) {
  const read = async (reader: ReplyReader) => {
    const left = events.map((text) => Buffer.from(text))
    const body = { read: async () => left.shift(), flow: () => expect.fail('not asked'), destroy() {} }
    const pieces = readChunks({ body }, { plan: {}, reader })
    const steps: ReplyEvent[] = []
    for (let batch = await pieces.next(); batch; batch = await pieces.next()) {
      steps.push(...batch.flatMap((piece) => piece.events))
    }
    return steps
  }
  return { repeated: await read(newReader()), parsed: await read(withoutRepeats(newReader())) }
}

const ODD = [
  'a',
  ' token',
  'index',
  'content',
  'é',
  '\n\n',
  '"',
  '\\',
  'x\\',
  '\\"',
  '{"a":1}',
  '",   "finish_reason":"stop',
  '𝄞 ',
  '\u2028',
  '<think>',
  '</think>',
  ' ',
  'null',
  'data: x',
]

describe('an event that differs from the previous one only in its text', () => {
  test.each([
    ['chat completions', textChunk, () => chatReader()],
    ['chat completions with thoughts in tags', textChunk, () => withThinkTags(chatReader())],
    ['reasoning', (text: string) => chunk({ reasoning_content: text }), () => withThinkTags(chatReader())],
    ['Messages', delta, () => messagesReader()],
    [
      'texts that hide their length',
      (text: string) => chunk({ content: text }, { obfuscation: text.slice(1) }),
      () => chatReader(),
    ],
    [
      'non-ASCII written as escapes',
      (text: string) =>
        textChunk(text).replace(/[^\x20-\x7e\n]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
      () => chatReader(),
    ],
  ])('has the same result parsed or compared: %s', async (_, write, reader) => {
    for (const first of ODD) {
      const { repeated, parsed } = await bothWays([first, 'plain', ...ODD, 'plain', ...ODD].map(write), reader)
      expect(repeated).toEqual(parsed)
    }
  })

  test.each([
    ['another choice', textChunk('b').replace('"index":0', '"index":1')],
    ['a reason to stop', textChunk('b').replace('null', '"stop"')],
    ['a usage', chunk({ content: 'b' }, { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })],
    [
      'a call beside the text',
      chunk({ content: 'b', tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{}' } }] }),
    ],
    ['a second text', chunk({ content: 'b', content2: 'c' })],
    ['an error', 'data: {"error":{"message":"b"}}\n\n'],
    ['the end', 'data: [DONE]\n\n'],
    ['a comment', ': b\n\n'],
    ['what is no JSON', textChunk('b').replace('}]', '}')],
    ['a text with a bare control character', textChunk('b').replace('"b"', '"b\u0001"')],
  ])('does not differ elsewhere: %s', async (_, other) => {
    const { repeated, parsed } = await bothWays([textChunk('a'), textChunk('a2'), other, textChunk('c')], () =>
      chatReader(),
    )
    expect(repeated).toEqual(parsed)
  })

  test('is not parsed, and neither are events in the same chunk', async () => {
    const texts = ['Hello', ' there', ', you', 'Hello']
    const left = [Buffer.from(texts.map(textChunk).join('')), Buffer.from(texts.map(textChunk).join(''))]
    const body = { read: async () => left.shift(), flow: () => expect.fail('not asked'), destroy() {} }
    const reader: ReplyReader = chatReader()
    reader.event = () => [{ kind: 'text', text: 'Hello' }]
    const pieces = readChunks({ body }, { plan: {}, reader })
    const parse = vi.spyOn(JSON, 'parse')
    const batches = [(await pieces.next()) ?? [], (await pieces.next()) ?? []]
    const parses = parse.mock.calls.length
    parse.mockRestore()

    expect(parses).toBe(1)
    expect(batches.flat().map(({ events }) => events)).toEqual(
      [...texts, ...texts].map((text) => [expect.objectContaining({ text })]),
    )
    expect(batches.flat().filter(({ isPlain }) => isPlain)).toHaveLength(7)
  })

  test.each([
    ['with a usage of null, for a client that wants none', { usage: null }, {}, ',"usage":null'],
    [
      'with a usage of null, for a client that wants it',
      { usage: null },
      { stream_options: { include_usage: true } },
      '',
    ],
    ['with no usage', {}, {}, ''],
  ])('is forwarded like the others: %s', async (_, more, asked, removed) => {
    const context: ReplyContext = {
      requestId: 'r',
      model: 'm',
      created: 7,
      body: asked,
      query: '',
      renamesModel: false,
      promptTokens: 1,
    }
    const forwarder = chatForwarder(context)
    const texts = ['first', 'one', 'two', 'three']
    const events = texts.map((text, at) => chunk({ ...(at === 0 && { role: 'assistant' }), content: text }, more))
    const left = events.map((text) => Buffer.from(text))
    const body = { read: async () => left.shift(), flow: () => expect.fail('not asked'), destroy() {} }
    const pieces = readChunks({ body }, { plan: {}, reader: chatReader() })
    const sent: string[] = []
    for (let batch = await pieces.next(); batch; batch = await pieces.next()) {
      for (const { event } of batch) sent.push(String(event && forwarder.forward(event)))
    }
    expect(sent.slice(1)).toEqual(
      ['one', 'two', 'three'].map((text) => chunk({ content: text }, more).replace(removed, '')),
    )
  })
})

describe('adjacent texts of a native stream', () => {
  const context: ReplyContext = {
    requestId: 'r',
    model: 'requested',
    created: 7,
    body: {},
    query: '',
    renamesModel: false,
    promptTokens: 1,
  }

  /** What the client and the meter get of a stream whose bytes arrive in pieces of this size. */
  async function deliver(
    wire: string,
    { pieceBytes, native, ...parts }: { pieceBytes: number; native: boolean } & Parts,
  ) {
    const bytes = Buffer.from(wire)
    let at = 0
    const read = async () => {
      const start = at
      at += pieceBytes
      return start < bytes.length ? bytes.subarray(start, at) : undefined
    }
    const body = { read, flow: () => expect.fail('not asked'), destroy() {} }
    const pieces = readChunks({ body }, { plan: { native }, reader: parts.reader() })
    const writer = forwardingWriter(DIALECTS[parts.dialect], { ...context, ...parts.context })
    let sent = ''
    let chunks = 0
    const texts = new Map<string, string>()
    for (let batch = await pieces.next(); batch; batch = await pieces.next()) {
      chunks += batch.length
      sent += writer.write(batch)
      for (const event of batch.flatMap(({ events }) => events)) {
        if (event.kind !== 'text' && event.kind !== 'reasoning') continue
        const name = `${event.kind} ${event.choice ?? 0}`
        texts.set(name, (texts.get(name) ?? '') + event.text)
      }
    }
    return { sent, chunks, texts }
  }
  interface Parts {
    dialect: 'openai-chat' | 'anthropic-messages'
    reader: () => ReplyReader
    context?: Partial<ReplyContext>
  }

  const write = (more: object) => (text: string, at: number) =>
    at % 7 === 6 ? textChunk(text).replace('"index":0', '"index":1') : chunk({ content: text }, more)
  test.each<[string, (text: string, at: number) => string, Parts]>([
    ['chat completions', write({}), { dialect: 'openai-chat', reader: () => chatReader() }],
    ['with tags', write({}), { dialect: 'openai-chat', reader: () => withThinkTags(chatReader()) }],
    ['with a usage of null', write({ usage: null }), { dialect: 'openai-chat', reader: () => chatReader() }],
    [
      'with another model name',
      write({}),
      { dialect: 'openai-chat', reader: () => chatReader(), context: { renamesModel: true } },
    ],
    ['Messages', (text) => delta(text), { dialect: 'anthropic-messages', reader: () => messagesReader() }],
  ])('are the same in any pieces: %s', async (_, writeText, parts) => {
    const wire = ['first', 'plain', ...ODD, 'plain', ...ODD, ': a comment', 'plain', 'plain'].map(writeText).join('')
    const { sent, texts, chunks } = await deliver(wire, { pieceBytes: wire.length * 4, native: false, ...parts })
    for (const pieceBytes of [1, 7, 100, 333, 1000, wire.length * 4]) {
      const joined = await deliver(wire, { pieceBytes, native: true, ...parts })
      expect({ pieceBytes, sent: joined.sent, texts: joined.texts }).toEqual({ pieceBytes, sent, texts })
    }
    const whole = await deliver(wire, { pieceBytes: wire.length * 4, native: true, ...parts })
    expect(whole.chunks).toBeLessThan((chunks * 2) / 3)
  })

  test('before a stop reason, a usage and an error are taken before these', async () => {
    const parts = { dialect: 'openai-chat', reader: () => chatReader(), pieceBytes: 1e6, native: true } as const
    const texts = ['a', 'b', 'c', 'd'].map(textChunk)
    const stop = chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const wire = [...texts, stop, ...texts, 'data: {"error":{"message":"b"}}\n\n'].join('')
    const { sent, texts: read } = await deliver(wire, parts)
    expect(read.get('text 0')).toBe('abcdabcd')
    expect(sent).toBe((await deliver(wire, { ...parts, native: false })).sent)
  })
})
