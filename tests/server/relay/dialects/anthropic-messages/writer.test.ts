import { describe, expect, test } from 'vitest'
import type { Usage } from '../../../../../core/pricing/prices.ts'
import { recordOf } from '../../../../../core/records.ts'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { anthropicMessages } from '../../../../../server/relay/dialects/anthropic-messages/dialect.ts'
import { messagesReader } from '../../../../../server/relay/providers/anthropic/messages-reader.ts'
import { chatReader } from '../../../../../server/relay/providers/openai/chat-reader.ts'
import { GOLDEN_CHAT, GOLDEN_MESSAGES } from '../../../../support/golden-messages.ts'
import { replyContext } from '../../../../support/reply-context.ts'
import { readStream, sse, streamEvents } from '../../../../support/wire.ts'

const USAGE: Usage = { ...plainUsage(20, 12), cachedTokens: 8 }

function write(
  events: readonly ReplyEvent[],
  { usage = USAGE, body = {} }: { usage?: Usage; body?: object } = {},
): string {
  const writer = anthropicMessages.writer(replyContext({ model: 'm', promptTokens: 20, body: { ...body } }))
  return events.map((event) => writer.write(event)).join('') + writer.end(usage)
}

function payloads(wire: string): Record<string, unknown>[] {
  return streamEvents(wire).map(({ payload }) => payload ?? {})
}

/** Blocks as a client puts them together, with the rules that clients rely on checked. */
function blocksIn(wire: string): Record<string, unknown>[] {
  const blocks: Record<string, unknown>[] = []
  let open: number | undefined
  for (const { name, payload } of streamEvents(wire)) {
    const { type, index, content_block, delta } = payload ?? {}
    expect(name).toBe(type)
    if (type === 'content_block_start') {
      expect(open).toBeUndefined()
      expect(index).toBe(blocks.length)
      open = Number(index)
      blocks.push({ ...recordOf(content_block), json: '' })
    }
    const block = blocks.at(-1) ?? {}
    if (type === 'content_block_delta') {
      expect(index).toBe(open)
      const change = recordOf(delta)
      if (change.type === 'text_delta') block.text = `${block.text}${change.text}`
      if (change.type === 'thinking_delta') block.thinking = `${block.thinking}${change.thinking}`
      if (change.type === 'signature_delta') block.signature = change.signature
      if (change.type === 'input_json_delta') block.json = `${block.json}${change.partial_json}`
    }
    if (type === 'content_block_stop') {
      expect(index).toBe(open)
      open = undefined
    }
  }
  expect(open).toBeUndefined()
  return blocks
}

const call = (number: number, name = 'look'): ReplyEvent => ({ kind: 'call', call: number, id: `c${number}`, name })
const args = (number: number, text: string): ReplyEvent => ({ kind: 'arguments', call: number, text })
const text = (content: string): ReplyEvent => ({ kind: 'text', text: content })
const thought = (content: string): ReplyEvent => ({ kind: 'reasoning', text: content })

describe('the golden stream', () => {
  const messages = sse(...GOLDEN_MESSAGES.map((payload): [string, unknown] => [payload.type, payload]))
  const chat = `${sse(...GOLDEN_CHAT)}data: [DONE]\n\n`
  const unsigned = GOLDEN_MESSAGES.filter(({ delta }) => delta?.type !== 'signature_delta').map((payload) =>
    payload.type === 'message_start'
      ? {
          ...payload,
          message: {
            ...payload.message,
            id: 'msg_req1',
            usage: { ...payload.message?.usage, input_tokens: 20, cache_read_input_tokens: 0 },
          },
        }
      : payload,
  )

  test.each([
    ['whole', messages, undefined],
    ['in pieces of 37 bytes', messages, 37],
    ['with carriage returns', messages.replaceAll('\n', '\r\n'), 37],
  ])('of Messages, %s, is unchanged by reading and writing', (_, wire, pieceBytes) => {
    const events = readStream(messagesReader(), wire, pieceBytes ? { pieceBytes } : {})
    expect(payloads(write(events))).toEqual(GOLDEN_MESSAGES)
  })

  test.each([
    ['whole', chat, undefined],
    ['in pieces of 37 bytes', chat, 37],
    ['with carriage returns', chat.replaceAll('\n', '\r\n'), 37],
  ])(
    'of chat completions, %s, is the same without a signature, with our own prompt count at first',
    (_, wire, pieceBytes) => {
      const events = readStream(chatReader(), wire, pieceBytes ? { pieceBytes } : {})
      expect(payloads(write(events))).toEqual(unsigned)
    },
  )
})

describe('the start', () => {
  const usageOf = (events: ReplyEvent[]) => recordOf(payloads(write(events))[0]?.message).usage

  test('has our own count of the prompt if no other is known', () => {
    expect(usageOf([{ kind: 'start' }, text('a')])).toMatchObject({
      input_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    })
  })

  test("has the upstream's count if it is known", () => {
    const usage = { ...plainUsage(30, 1), cachedTokens: 10, cacheWriteTokens: 5 }
    expect(usageOf([{ kind: 'usage', usage }, text('a')])).toMatchObject({
      input_tokens: 15,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 10,
      output_tokens: 0,
    })
  })

  test.each([
    ['msg_9', 'msg_9'],
    ['chatcmpl-9', 'msg_req1'],
  ])('after id %s has id %s and the requested model', (id, written) => {
    expect(payloads(write([{ kind: 'start', id, model: 'other' }]))[0]?.message).toMatchObject({
      id: written,
      model: 'm',
    })
  })

  test('occurs once, and before anything else', () => {
    const types = payloads(write([text('a'), { kind: 'start' }, text('b')])).map(({ type }) => type)
    expect(types.indexOf('message_start')).toBe(0)
    expect(types.lastIndexOf('message_start')).toBe(0)
  })
})

describe('blocks', () => {
  test.each<[string, ReplyEvent[], object[]]>([
    ['texts in a row are one', [text('a'), text(''), text('b')], [{ type: 'text', text: 'ab' }]],
    [
      'thoughts after a text have a block of their own',
      [thought('a'), text('b'), thought('c')],
      [
        { type: 'thinking', thinking: 'a', signature: '' },
        { type: 'text', text: 'b' },
        { type: 'thinking', thinking: 'c', signature: '' },
      ],
    ],
    [
      'each signature ends its thought',
      [thought('a'), { kind: 'signature', signature: 's1' }, thought('b'), { kind: 'signature', signature: 's2' }],
      [
        { thinking: 'a', signature: 's1' },
        { thinking: 'b', signature: 's2' },
      ],
    ],
    [
      'a signature without a thought has an empty one',
      [{ kind: 'signature', signature: 's' }],
      [{ type: 'thinking', thinking: '', signature: 's' }],
    ],
    [
      'a hidden thought is whole',
      [thought('a'), { kind: 'redacted', data: 'ZA' }, text('b')],
      [{ type: 'thinking' }, { type: 'redacted_thinking', data: 'ZA' }, { type: 'text' }],
    ],
    ['a refusal is text', [{ kind: 'refusal', text: 'No' }], [{ type: 'text', text: 'No' }]],
    ['nothing at all is an empty text', [], [{ type: 'text', text: '' }]],
    ['of several replies the first is written', [{ kind: 'text', text: 'b', choice: 1 }, text('a')], [{ text: 'a' }]],
    [
      'pictures are links, and of sound the words stay',
      [text('a'), { kind: 'image', data: 'AA', mime: 'image/png' }, { kind: 'audio', audio: { transcript: 'b' } }],
      [{ text: 'a\n![image](data:image/png;base64,AA)\nb' }],
    ],
  ])('%s', (_, events, blocks) => {
    const written = blocksIn(write(events))
    expect(written).toHaveLength(blocks.length)
    expect(written).toMatchObject(blocks)
  })

  test('a web location is a citation of the open text', () => {
    const wire = write([text('a'), { kind: 'citation', citation: { url: 'https://a.example', title: 'A' } }])
    expect(payloads(wire).map(({ delta }) => delta)).toContainEqual({
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url: 'https://a.example',
        title: 'A',
        cited_text: '',
        encrypted_index: '',
      },
    })
  })
})

describe('calls', () => {
  test('are sent as they arrive if they arrive one after another', () => {
    const writer = anthropicMessages.writer(replyContext({ model: 'm' }))
    writer.write(call(0))
    expect(writer.write(args(0, '{"a":'))).toContain('{\\"a\\":')
    expect(writer.write(args(0, '1}'))).toContain('1}')
    expect(writer.write(call(1, 'hear'))).toContain('"name":"hear"')
  })

  test.each<[string, ReplyEvent[], string[]]>([
    ['one after another', [call(0), args(0, '{"a":1}'), call(1), args(1, '{"b":2}')], ['{"a":1}', '{"b":2}']],
    [
      'in turns',
      [call(0), call(1), args(0, '{"a"'), args(1, '{"b"'), args(0, ':1}'), args(1, ':2}')],
      ['{"a":1}', '{"b":2}'],
    ],
    [
      'three, the last one first',
      [call(0), call(1), call(2), args(2, '{"c":3}'), args(1, '{"b":2}'), args(0, '{"a":1}')],
      ['{"a":1}', '{"b":2}', '{"c":3}'],
    ],
    ['without arguments', [call(0), args(0, ''), call(1)], ['{}', '{}']],
    ['broken off', [call(0), args(0, '{"a":')], ['{"a":']],
  ])('%s have separate arguments', (_, events, json) => {
    const blocks = blocksIn(write(events))
    expect(blocks).toMatchObject(json.map((_json, at) => ({ type: 'tool_use', id: `c${at}`, name: 'look', input: {} })))
    expect(blocks.map((block) => block.json)).toEqual(json)
  })

  test('that are incomplete delay a text, and none of it is lost', () => {
    const blocks = blocksIn(write([call(0), args(0, '{"a"'), text('b'), call(1), args(0, ':1}'), text('c')]))
    expect(blocks.map(({ type }) => type)).toEqual(['tool_use', 'text', 'tool_use', 'text'])
    expect(blocks).toMatchObject([{ json: '{"a":1}' }, { text: 'b' }, { json: '{}' }, { text: 'c' }])
  })

  test('have ids that clients may send back', () => {
    const [block] = blocksIn(write([{ kind: 'call', call: 0, id: 'functions.look:0', name: 'look' }]))
    expect(block?.id).toMatch(/^[a-zA-Z0-9_-]+$/)
  })
})

describe('the end', () => {
  const endOf = (events: ReplyEvent[], body = {}) => payloads(write(events, { body })).at(-2)

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tools', 'tool_use'],
    ['filter', 'refusal'],
  ] as const)('%s is %s', (reason, stop_reason) => {
    expect(endOf([{ kind: 'stop', reason }])).toMatchObject({ delta: { stop_reason, stop_sequence: null } })
  })

  test('without a reason is the end of a turn, or tool calls', () => {
    expect(endOf([text('a')])).toMatchObject({ delta: { stop_reason: 'end_turn' } })
    expect(endOf([call(0), { kind: 'stop', reason: 'stop' }])).toMatchObject({ delta: { stop_reason: 'tool_use' } })
    expect(endOf([call(0), { kind: 'stop', reason: 'length' }])).toMatchObject({ delta: { stop_reason: 'max_tokens' } })
  })

  test('after a refusal is a refusal', () => {
    expect(
      endOf([
        { kind: 'refusal', text: 'No' },
        { kind: 'stop', reason: 'stop' },
      ]),
    ).toMatchObject({
      delta: { stop_reason: 'refusal' },
    })
  })

  test('names a stop sequence of the client', () => {
    const stopped: ReplyEvent = { kind: 'stop', reason: 'stop', sequence: 'END' }
    expect(endOf([stopped], { stop_sequences: ['END'] })).toMatchObject({
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    })
    expect(endOf([stopped])).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null } })
  })

  test('has all four charged counts, and nothing after message_stop', () => {
    const usage = { ...plainUsage(30, 7), cachedTokens: 10, cacheWriteTokens: 5 }
    const written = payloads(write([text('a')], { usage }))
    expect(written.at(-2)?.usage).toMatchObject({
      input_tokens: 15,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 10,
      output_tokens: 7,
    })
    expect(written.at(-1)).toEqual({ type: 'message_stop' })
  })

  test('of a broken stream is only the error', () => {
    const writer = anthropicMessages.writer(replyContext({ model: 'm' }))
    writer.write(text('a'))
    const error = { status: 502, message: 'Gone', type: 'x', param: null, code: null, requestId: 'req1' }
    expect(payloads(writer.interrupted(error))).toEqual([
      { type: 'error', error: { type: 'api_error', message: 'Gone' }, request_id: 'req1' },
    ])
  })
})
