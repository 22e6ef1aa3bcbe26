import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { messagesReader } from '../../../../../server/relay/providers/anthropic/messages-reader.ts'
import { GOLDEN_MESSAGES } from '../../../../support/golden-messages.ts'
import { readStream, sse } from '../../../../support/wire.ts'

type Payload = { type: string; [field: string]: unknown }

function wireOf(...payloads: Payload[]): string {
  return sse(...payloads.map((payload): [string, unknown] => [payload.type, payload]))
}

function read(...payloads: Payload[]): ReplyEvent[] {
  return readStream(messagesReader(), wireOf(...payloads))
}

const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const tool = (index: number, name = 'look', input: object = {}) =>
  start(index, { type: 'tool_use', id: `toolu_${index}`, name, input })
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })

function usagesIn(events: readonly ReplyEvent[]) {
  return events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []))
}

describe('the golden stream', () => {
  const lf = wireOf(...GOLDEN_MESSAGES)
  test.each([
    ['whole', lf, undefined],
    ['in pieces of 37 bytes', lf, 37],
    ['byte by byte', lf, 1],
    ['with carriage returns', lf.replaceAll('\n', '\r\n'), undefined],
    ['with carriage returns, in pieces of 37 bytes', lf.replaceAll('\n', '\r\n'), 37],
  ])('is read the same %s', (_, wire, pieceBytes) => {
    const events = readStream(messagesReader(), wire, pieceBytes ? { pieceBytes } : {})
    expect(collect(events)).toMatchObject({
      id: 'msg_1',
      model: 'm',
      choices: [
        {
          text: 'Checking.',
          reasoning: [{ text: 'Need the weather.', signature: 'c2ln' }],
          calls: [
            { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
            { id: 'call_b', name: 'get_time', arguments: '{}' },
          ],
          stop: 'tools',
        },
      ],
      usage: { promptTokens: 20, cachedTokens: 8, cacheWriteTokens: 0, completionTokens: 12 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })
})

describe('a stream', () => {
  test('starts with id and model', () => {
    expect(read({ type: 'message_start', message: { id: 'msg_1', model: 'm' } })).toEqual([
      { kind: 'start', id: 'msg_1', model: 'm' },
    ])
  })

  test.each<[string, Payload[], ReplyEvent[]]>([
    ['text that a block begins with', [start(0, { type: 'text', text: 'Hi' })], [{ kind: 'text', text: 'Hi' }]],
    ['an empty beginning', [start(0, { type: 'text', text: '' }), stop(0)], []],
    ['text', [delta(0, { type: 'text_delta', text: 'Hi' })], [{ kind: 'text', text: 'Hi' }]],
    ['a thought', [delta(0, { type: 'thinking_delta', thinking: 'Hm' })], [{ kind: 'reasoning', text: 'Hm' }]],
    [
      'a signature, which is no text',
      [delta(0, { type: 'signature_delta', signature: 'c2ln' })],
      [{ kind: 'signature', signature: 'c2ln' }],
    ],
    ['a hidden thought', [start(0, { type: 'redacted_thinking', data: 'ZA' })], [{ kind: 'redacted', data: 'ZA' }]],
    [
      "the vendor's own tools, which are no text",
      [start(0, { type: 'server_tool_use', name: 'web_search' })],
      [{ kind: 'hosted', tool: 'web_search', calls: 1 }],
    ],
    ['input for them', [start(0, { type: 'server_tool_use' }), json(0, '{"query":"a"}'), stop(0)], []],
    ['what they found', [start(1, { type: 'web_search_tool_result', content: [{ url: 'https://a.example' }] })], []],
    [
      'the files that code wrote',
      [
        start(1, {
          type: 'bash_code_execution_tool_result',
          content: { type: 'bash_code_execution_result', content: [{ file_id: 'file_1' }] },
        }),
      ],
      [{ kind: 'stored', object: { kind: 'file', id: 'file_1' } }],
    ],
    ['files that another tool names', [start(1, { type: 'mcp_tool_result', content: [{ file_id: 'file_1' }] })], []],
    ['a ping', [{ type: 'ping' }], []],
    ['an unknown event', [{ type: 'content_block_paused', index: 0 }], []],
    ['the end', [{ type: 'message_stop' }], [{ kind: 'end' }]],
  ])('has %s', (_, payloads, events) => {
    expect(read(...payloads)).toEqual(events)
  })

  test('numbers calls among calls only, for any index of their blocks', () => {
    expect(
      read(start(0, { type: 'text', text: '' }), tool(3), json(3, '{"a":'), json(3, '1}'), stop(3), tool(7)),
    ).toEqual([
      { kind: 'call', call: 0, id: 'toolu_3', name: 'look' },
      { kind: 'arguments', call: 0, text: '{"a":' },
      { kind: 'arguments', call: 0, text: '1}' },
      { kind: 'call', call: 1, id: 'toolu_7', name: 'look' },
    ])
  })

  test('has an empty object for empty arguments, once', () => {
    const args = read(tool(0), json(0, ''), json(0, ''), stop(0)).filter(({ kind }) => kind === 'arguments')
    expect(args).toEqual([{ kind: 'arguments', call: 0, text: '{}' }])
  })

  test('uses the input at the start of a block only if none follows', () => {
    const of = (...payloads: Payload[]) => collect(read(...payloads)).choices[0]?.calls[0]?.arguments
    expect(of(tool(0, 'look', {}), json(0, '{"a":1}'), stop(0))).toBe('{"a":1}')
    expect(of(tool(0, 'look', { a: 1 }), stop(0))).toBe('{"a":1}')
  })

  test('keeps truncated arguments', () => {
    expect(collect(read(tool(0), json(0, '{"a":'), stop(0))).choices[0]?.calls[0]?.arguments).toBe('{"a":')
  })

  test('keeps separate signatures for reasoning between calls', () => {
    const events = read(
      delta(0, { type: 'thinking_delta', thinking: 'One' }),
      delta(0, { type: 'signature_delta', signature: 's1' }),
      tool(1),
      stop(1),
      delta(2, { type: 'thinking_delta', thinking: 'Two' }),
      delta(2, { type: 'signature_delta', signature: 's2' }),
    )
    expect(collect(events).choices[0]?.reasoning).toMatchObject([
      { text: 'One', signature: 's1' },
      { text: 'Two', signature: 's2' },
    ])
  })

  test('has web citations with their positions in the text', () => {
    const citation = {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'A',
      cited_text: 'a',
      encrypted_index: 'x',
    }
    const place = { type: 'char_location', cited_text: 'a', document_index: 0 }
    const events = read(
      start(0, { type: 'text', text: 'Well. ' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'citations_delta', citation }),
      delta(1, { type: 'citations_delta', citation: place }),
      delta(1, { type: 'text_delta', text: 'Yes.' }),
      stop(1),
    )
    expect(events.filter(({ kind }) => kind === 'citation')).toEqual([
      { kind: 'citation', citation: { url: 'https://a.example', title: 'A', quote: 'a', start: 6, end: 10 } },
    ])
  })

  test('is read by event names if the payloads have no type', () => {
    const events = readStream(
      messagesReader(),
      sse(['content_block_delta', { delta: { type: 'text_delta', text: 'Hi' } }]),
    )
    expect(events).toEqual([{ kind: 'text', text: 'Hi' }])
  })
})

describe('the finish reason', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tools'],
    ['refusal', 'filter'],
    ['something_new', 'stop'],
  ])('%s is %s', (stop_reason, reason) => {
    expect(read({ type: 'message_delta', delta: { stop_reason } })).toEqual([{ kind: 'stop', reason }])
    expect(messagesReader().whole({ stop_reason })).toContainEqual({ kind: 'stop', reason })
  })

  test('is a call if there was one, but a limit stays a limit', () => {
    const ended = (stop_reason: string) =>
      collect(read(tool(0), stop(0), { type: 'message_delta', delta: { stop_reason } })).choices[0]?.stop
    expect(ended('end_turn')).toBe('tools')
    expect(ended('max_tokens')).toBe('length')
  })

  test('names the matched stop sequence', () => {
    const message = { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } }
    expect(read(message)).toEqual([{ kind: 'stop', reason: 'stop', sequence: 'END' }])
  })

  test.each([null, '', undefined])('%j is undefined', (stop_reason) => {
    expect(read({ type: 'message_delta', delta: { stop_reason } })).toEqual([])
  })
})

describe('usage', () => {
  const first = {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 12,
        cache_read_input_tokens: 8,
        cache_creation_input_tokens: 5,
        cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
        output_tokens: 1,
      },
    },
  }

  test('of the prompt includes cache reads and writes, with one-hour writes separate', () => {
    expect(usagesIn(read(first))).toMatchObject([
      { promptTokens: 25, cachedTokens: 8, cacheWriteTokens: 5, cacheWriteHourTokens: 3, completionTokens: 1 },
    ])
  })

  test('is the last value of each field, never the sum; missing, null or zero keeps it', () => {
    const usages = usagesIn(
      read(
        first,
        { type: 'message_delta', delta: {}, usage: { output_tokens: 10, input_tokens: 0 } },
        {
          type: 'message_delta',
          delta: {},
          usage: { output_tokens: 30, input_tokens: null, output_tokens_details: { thinking_tokens: 20 } },
        },
      ),
    )
    expect(usages.at(-1)).toMatchObject({ promptTokens: 25, completionTokens: 30, reasoningTokens: 20 })
  })

  test.each([
    ['of zeros', { input_tokens: 0, output_tokens: 0 }],
    ['that cannot be', { input_tokens: 5e9, output_tokens: 1 }],
    ['that is absent', undefined],
  ])('%s is undefined', (_, usage) => {
    expect(usagesIn(messagesReader().whole({ content: [], usage }))).toEqual([])
  })
})

describe('a whole message', () => {
  test('has the same content as its stream', () => {
    const events = messagesReader().whole({
      id: 'msg_1',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZA' },
        { type: 'text', text: 'One. ' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'a' } },
        { type: 'text', text: 'Two.', citations: [{ url: 'https://a.example', title: 'A', cited_text: 'a' }] },
        { type: 'tool_use', id: 't1', name: 'look', input: { at: 'Oslo' } },
        { type: 'tool_use', id: 't2', name: 'look', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    })
    expect(collect(events)).toMatchObject({
      id: 'msg_1',
      model: 'm',
      choices: [
        {
          reasoning: [{ text: 'Hm', signature: 'c2ln' }, { redacted: 'ZA' }],
          text: 'One. Two.',
          citations: [{ url: 'https://a.example', start: 5, end: 9 }],
          calls: [
            { id: 't1', name: 'look', arguments: '{"at":"Oslo"}' },
            { id: 't2', name: 'look', arguments: '{}' },
          ],
          stop: 'tools',
        },
      ],
      usage: { promptTokens: 3, completionTokens: 4 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test.each([[undefined], [null], [[]]])('with content %j is an empty reply', (content) => {
    const events = messagesReader().whole({ id: 'msg_1', content, stop_reason: 'end_turn' })
    expect(collect(events).choices).toMatchObject([{ text: '', stop: 'stop' }])
  })
})

describe('an error', () => {
  test.each([
    ['invalid_request_error', 400],
    ['authentication_error', 401],
    ['billing_error', 402],
    ['permission_error', 403],
    ['not_found_error', 404],
    ['conflict', 409],
    ['conflict_error', 409],
    ['request_too_large', 413],
    ['rate_limit_error', 429],
    ['api_error', 500],
    ['timeout_error', 504],
    ['overloaded_error', 529],
    ['something_new', undefined],
  ])('%s is status %s, in a stream and with status 200', (type, status) => {
    const body = { type: 'error', error: { type, message: 'No' } }
    const events = [{ kind: 'error', error: { message: 'No', type, code: type, status } }]
    expect(read(body)).toEqual(events)
    expect(messagesReader().whole(body)).toEqual(events)
  })
})

test('calls of custom tools have their free text', () => {
  const reader = messagesReader({ customTools: new Set(['patch']) })
  const wire = wireOf(tool(0, 'patch'), json(0, '{"input":"*** '), json(0, 'a\\n"}'), stop(0), tool(1), stop(1))
  expect(readStream(reader, wire)).toEqual([
    { kind: 'call', call: 0, id: 'toolu_0', name: 'patch', custom: true },
    { kind: 'arguments', call: 0, text: '*** a\n' },
    { kind: 'call', call: 1, id: 'toolu_1', name: 'look' },
    { kind: 'arguments', call: 1, text: '{}' },
  ])
})
