import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { responsesReader } from '../../../../../server/relay/providers/openai/responses-reader.ts'
import { decodeReasoning, encodeReasoning } from '../../../../../server/relay/providers/openai/responses-reasoning.ts'
import { GOLDEN_EVENTS, GOLDEN_STREAM, GOLDEN_USAGE, goldenBytes } from '../../../../support/golden-responses.ts'
import { readStream as readWire, sse } from '../../../../support/wire.ts'

/** Without what the upstream stored, and ran: see `hosted-items.test.ts`. */
const saidIn = (events: readonly ReplyEvent[]) => events.filter(({ kind }) => kind !== 'stored' && kind !== 'hosted')
const readStream: typeof readWire = (...wire) => saidIn(readWire(...wire))
const read = (...events: Record<string, unknown>[]) =>
  readStream(responsesReader(), sse(...events.map((event): [string, unknown] => [String(event.type), event])))
const whole = (body: Record<string, unknown>) => saidIn(responsesReader().whole(body))
const kinds = (events: readonly ReplyEvent[]) => events.map(({ kind }) => kind)
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], usage, ...more },
})
const message = (text: string, annotations: unknown[] = []) => ({
  type: 'message',
  content: [{ type: 'output_text', text, annotations }],
})
const call = (more: object = {}) => ({
  id: 'fc_1',
  type: 'function_call',
  call_id: 'c1',
  name: 'look',
  arguments: '',
  ...more,
})
const END: ReplyEvent[] = [
  { kind: 'usage', usage: plainUsage(3, 2) },
  { kind: 'stop', reason: 'stop' },
  { kind: 'end' },
]

const GOLDEN: ReplyEvent[] = [
  { kind: 'start', id: 'resp', model: 'm' },
  ...GOLDEN_EVENTS,
  { kind: 'usage', usage: GOLDEN_USAGE },
  { kind: 'stop', reason: 'tools' },
  { kind: 'end' },
]

describe('a stream of Responses', () => {
  test.each(['\n', '\r\n'])(
    'is read like the golden stream, whole and in chunks of 37 bytes, with %j line ends',
    (end) => {
      expect(readStream(responsesReader(), goldenBytes(end))).toEqual(GOLDEN)
      expect(readStream(responsesReader(), goldenBytes(end), { pieceBytes: 37 })).toEqual(GOLDEN)
    },
  )

  test('has the same reply as its final body', () => {
    const final = GOLDEN_STREAM.at(-1)?.response as Record<string, unknown>
    expect(whole(final)).toEqual(GOLDEN)
  })

  test('is read without event lines, and without types in the data', () => {
    expect(readStream(responsesReader(), sse(...GOLDEN_STREAM))).toEqual(GOLDEN)
    const bare = GOLDEN_STREAM.map(({ type, ...event }): [string, unknown] => [String(type), event])
    expect(readStream(responsesReader(), sse(...bare))).toEqual(GOLDEN)
  })

  test('has one end, though [DONE] follows', () => {
    expect(readStream(responsesReader(), sse(completed(), '[DONE]'))).toEqual(END)
    expect(readStream(responsesReader(), sse('[DONE]'))).toEqual([{ kind: 'end' }])
  })

  test('has no end if it is truncated', () => {
    const wire = sse(...GOLDEN_STREAM.slice(0, -1))
    expect(kinds(readStream(responsesReader(), wire))).not.toContain('end')
  })

  test('numbers calls in order, not by the position of their items', () => {
    const events = read(
      { type: 'response.output_item.added', output_index: 4, item: call() },
      { type: 'response.output_item.added', output_index: 7, item: call({ call_id: 'c2' }) },
      { type: 'response.function_call_arguments.delta', output_index: 7, delta: '{}' },
    )
    expect(events).toEqual([
      { kind: 'call', call: 0, id: 'c1', name: 'look' },
      { kind: 'call', call: 1, id: 'c2', name: 'look' },
      { kind: 'arguments', call: 1, text: '{}' },
    ])
  })

  test('uses the final item for content missing in deltas', () => {
    const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })
    const items = [{ type: 'reasoning', summary: [{ text: 'hm' }] }, message('hi'), call({ arguments: '{"a":1}' })]
    const events = read(...items.map((item, at) => done(at, item)), completed({ output: items }))
    expect(events.slice(0, -3)).toEqual([
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'hi' },
      { kind: 'call', call: 0, id: 'c1', name: 'look' },
      { kind: 'arguments', call: 0, text: '{"a":1}' },
    ])
  })

  test('uses the final response for content missing in events, without repetition', () => {
    expect(read(completed({ output: [message('hi')] }))).toEqual([{ kind: 'text', text: 'hi' }, ...END])
    const deltaEvent = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'hi' }
    expect(read(deltaEvent, completed({ output: [message('hi')] }))).toEqual([{ kind: 'text', text: 'hi' }, ...END])
  })

  test('has arguments that arrive only at the end', () => {
    const events = read(
      { type: 'response.output_item.added', output_index: 0, item: call() },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{}' },
      { type: 'response.output_item.done', output_index: 0, item: call({ arguments: '{}' }) },
    )
    expect(events.filter(({ kind }) => kind === 'arguments')).toEqual([{ kind: 'arguments', call: 0, text: '{}' }])
  })

  test('has calls of custom tools', () => {
    const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: '' }
    const events = read(
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'ls' },
      { type: 'response.custom_tool_call_input.done', output_index: 0, input: 'ls' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, input: 'ls' } },
    )
    expect(events).toEqual([
      { kind: 'call', call: 0, id: 'c1', name: 'shell', custom: true },
      { kind: 'arguments', call: 0, text: 'ls' },
    ])
  })

  test('reads raw reasoning, and of two forms the first', () => {
    const place = { output_index: 0, item_id: 'rs' }
    const events = read(
      { type: 'response.reasoning_text.delta', ...place, delta: 'raw' },
      { type: 'response.reasoning_summary_text.delta', ...place, delta: 'short' },
    )
    expect(events).toEqual([{ kind: 'reasoning', text: 'raw' }])
  })

  test('separates the parts of a summary', () => {
    const place = (summary_index: number) => ({ output_index: 0, summary_index })
    const events = read(
      { type: 'response.reasoning_summary_part.added', ...place(0) },
      { type: 'response.reasoning_summary_text.delta', ...place(0), delta: 'one' },
      { type: 'response.reasoning_summary_part.added', ...place(1) },
      { type: 'response.reasoning_summary_text.delta', ...place(1), delta: 'two' },
    )
    const text = events.map((event) => (event.kind === 'reasoning' ? event.text : '')).join('')
    expect(text).toBe('one\n\ntwo')
  })

  test("signs reasoning with the upstream's encrypted content, once", () => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAAAB' }
    const events = read({ type: 'response.output_item.done', output_index: 0, item }, completed({ output: [item] }))
    expect(events).toEqual([{ kind: 'signature', signature: encodeReasoning('rs_1', 'gAAAAAB') }, ...END])
    expect(decodeReasoning(encodeReasoning('rs_1', 'gAAAAAB'))).toEqual({ id: 'rs_1', encrypted: 'gAAAAAB' })
  })

  test('has refusals, citations, log probabilities and pictures', () => {
    const annotation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 1, end_index: 2 }
    const logprobs = [{ token: 'hi', logprob: -1 }]
    const events = read(
      { type: 'response.output_text.delta', output_index: 0, delta: 'hi', logprobs },
      { type: 'response.output_text.annotation.added', output_index: 0, annotation },
      { type: 'response.output_item.done', output_index: 0, item: message('hi', [annotation]) },
      { type: 'response.refusal.delta', output_index: 1, delta: 'no' },
      {
        type: 'response.output_item.done',
        output_index: 2,
        item: { type: 'image_generation_call', result: 'AAAA', output_format: 'webp' },
      },
    )
    expect(events).toEqual([
      { kind: 'text', text: 'hi' },
      { kind: 'logprobs', logprobs: { content: logprobs } },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'A', start: 1, end: 2 } },
      { kind: 'refusal', text: 'no' },
      { kind: 'image', data: 'AAAA', mime: 'image/webp' },
    ])
  })

  test('skips unknown events', () => {
    expect(read({ type: 'response.future_thing', output_index: 3 }, { type: 'keepalive' })).toEqual([])
  })
})

describe('the end of a response', () => {
  const incomplete = (reason?: string) => ({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: reason ? { reason } : null, output: [], usage },
  })

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
    [undefined, 'length'],
  ])('that is incomplete for %s is a stop for %s', (reason, stop) => {
    expect(read(incomplete(reason))).toContainEqual({ kind: 'stop', reason: stop })
  })

  test('for its length stays so, though there were calls', () => {
    const added = { type: 'response.output_item.added', output_index: 0, item: call() }
    expect(read(added, incomplete('max_output_tokens'))).toContainEqual({ kind: 'stop', reason: 'length' })
  })

  test.each([
    [
      'response.failed',
      { response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } } },
    ],
    ['error', { code: 'rate_limit_exceeded', message: 'Slow down', param: null }],
    ['error', { error: { code: 'rate_limit_exceeded', message: 'Slow down' } }],
  ])('that failed is an error and no end: %s %j', (type, fields) => {
    const events = read({ type, ...fields })
    expect(events).toEqual([
      { kind: 'error', error: { message: 'Slow down', code: 'rate_limit_exceeded', status: 429, type: undefined } },
    ])
  })

  test('that was canceled is an error', () => {
    const events = read({ type: 'response.cancelled', response: { status: 'cancelled', error: null } })
    expect(events).toMatchObject([{ kind: 'error', error: { message: 'The response was cancelled' } }])
  })

  test('of a failed whole body is one error', () => {
    const body = { status: 'failed', error: { code: 'server_error', message: 'Oops' }, output: [message('half')] }
    expect(whole(body)).toMatchObject([{ kind: 'error', error: { message: 'Oops', status: 500 } }])
    expect(whole({ error: 'just words' })).toMatchObject([{ kind: 'error', error: { message: 'just words' } }])
  })

  test('of a background response is an end without a finish reason', () => {
    expect(kinds(whole({ id: 'resp_1', status: 'queued', output: [], usage: null }))).toEqual(['start', 'end'])
  })
})

describe('usage', () => {
  const usageOf = (reported: unknown) => read(completed({ usage: reported })).find(({ kind }) => kind === 'usage')

  test('has its details', () => {
    const reported = {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 15 },
    }
    expect(usageOf(reported)).toEqual({
      kind: 'usage',
      usage: { ...plainUsage(30, 20), cachedTokens: 10, cacheWriteTokens: 5, reasoningTokens: 15 },
    })
  })

  test.each([undefined, null, {}, { input_tokens: 0, output_tokens: 0 }])('is undefined for %j', (reported) => {
    expect(usageOf(reported)).toBeUndefined()
  })
})
