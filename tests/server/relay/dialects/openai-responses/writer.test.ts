import { describe, expect, test } from 'vitest'
import { isRecord, recordOf } from '../../../../../core/records.ts'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { decodeSignatures } from '../../../../../server/relay/conversation/envelope.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { objectsOf } from '../../../../../server/relay/json.ts'
import { GOLDEN_EVENTS, GOLDEN_STREAM, GOLDEN_USAGE } from '../../../../support/golden-responses.ts'
import { payloads, relayError, replyContext, writtenStream } from '../../../../support/reply-context.ts'
import { streamEvents } from '../../../../support/wire.ts'

const eventsOf = (events: readonly ReplyEvent[]) => payloads(writtenStream(openaiResponses, events))
const typesOf = (events: readonly ReplyEvent[]) =>
  eventsOf(events).map(({ type }) => String(type).replace('response.', ''))
const ofType = (events: readonly Record<string, unknown>[], type: string) =>
  events.filter((event) => event.type === `response.${type}`)
const finalOf = (events: readonly Record<string, unknown>[]) => recordOf(events.at(-1)?.response)

const call = (index: number, id: string, more = {}): ReplyEvent => ({
  kind: 'call',
  call: index,
  id,
  name: 'look',
  ...more,
})
const args = (index: number, text: string): ReplyEvent => ({ kind: 'arguments', call: index, text })
const say = (text: string): ReplyEvent => ({ kind: 'text', text })
const think = (text: string): ReplyEvent => ({ kind: 'reasoning', text })

/** Ids by their order, and of responses only what the golden stream shows. */
function plain(value: unknown, names: Map<string, string>): unknown {
  if (typeof value === 'string' && /^(rs|msg|fc|resp)_[0-9a-f]{24,}$/.test(value)) return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => plain(item, names))
  if (!isRecord(value)) return value
  const fields =
    value.object === 'response' ? ['id', 'object', 'status', 'model', 'output', 'usage'] : Object.keys(value)
  return Object.fromEntries(fields.map((name) => [name, plain(value[name], names)]))
}

describe('a response stream', () => {
  test('matches the golden stream, event by event', () => {
    const context = replyContext({ model: 'm' })
    const events = payloads(writtenStream(openaiResponses, GOLDEN_EVENTS, { context, usage: GOLDEN_USAGE }))
    const ids = ofType(events, 'output_item.added').map(({ item }) => String(recordOf(item).id))
    const names = new Map([...ids.map((id, at): [string, string] => [id, ['rs', 'msg', 'fc1', 'fc2'][at] ?? '?'])])
    names.set(String(finalOf(events).id), 'resp')
    expect(plain(events, names)).toEqual(GOLDEN_STREAM)
  })

  test('names each event twice, numbers them from 0 without a gap, and ends with [DONE]', () => {
    const events = streamEvents(writtenStream(openaiResponses, GOLDEN_EVENTS))
    expect(events.at(-1)?.done).toBe(true)
    const ownEvents = events.slice(0, -1)
    expect(ownEvents.map(({ name }) => name)).toEqual(ownEvents.map(({ payload }) => payload?.type))
    expect(ownEvents.map(({ payload }) => payload?.sequence_number)).toEqual(ownEvents.map((_, at) => at))
  })

  test('has ids of the right kind, the same in every event and in the final object', () => {
    const events = eventsOf(GOLDEN_EVENTS)
    const final = objectsOf(finalOf(events).output).map(({ id }) => id)
    expect(final.map((id) => String(id).replace(/_[0-9a-f]{24,}$/, ''))).toEqual(['rs', 'msg', 'fc', 'fc'])
    for (const event of events) {
      if (event.output_index === undefined) continue
      expect(event.item_id ?? recordOf(event.item).id).toBe(final[Number(event.output_index)])
    }
    expect(new Set(events.flatMap(({ response }) => recordOf(response).id ?? [])).size).toBe(1)
  })

  test('has no delta of an item or a part that was not added', () => {
    const items = new Set<unknown>()
    const parts = new Set<unknown>()
    for (const { type, item, item_id } of eventsOf(GOLDEN_EVENTS)) {
      if (type === 'response.output_item.added') items.add(recordOf(item).id)
      if (type === 'response.content_part.added' || type === 'response.reasoning_summary_part.added') parts.add(item_id)
      if (!String(type).endsWith('.delta')) continue
      expect(items.has(item_id)).toBe(true)
      if (type !== 'response.function_call_arguments.delta') expect(parts.has(item_id)).toBe(true)
    }
  })

  test('is written immediately, but the end only on request', () => {
    const writer = openaiResponses.writer(replyContext())
    expect(writer.write({ kind: 'start', id: 'chatcmpl-1' })).toContain('response.created')
    expect(writer.write(say('hi'))).toContain('"delta":"hi"')
    expect(writer.write({ kind: 'stop', reason: 'stop' })).toBe('')
    expect(writer.write({ kind: 'usage', usage: plainUsage(1, 1) })).toBe('')
    expect(writer.write({ kind: 'end' })).toBe('')
    expect(writer.end(plainUsage(1, 1))).toContain('response.completed')
  })

  test('closes reasoning before text, and opens another item for later reasoning', () => {
    const events = eventsOf([think('a'), say('b'), think('c')])
    const order = events.filter(({ type }) => String(type).startsWith('response.output_item'))
    expect(order.map(({ type, output_index }) => [String(type).split('.').at(-1), output_index])).toEqual([
      ['added', 0],
      ['done', 0],
      ['added', 1],
      ['done', 1],
      ['added', 2],
      ['done', 2],
    ])
  })

  test('has a refusal as a separate part type', () => {
    const events = eventsOf([
      { kind: 'refusal', text: 'I will ' },
      { kind: 'refusal', text: 'not.' },
    ])
    expect(ofType(events, 'content_part.added')[0]?.part).toEqual({ type: 'refusal', refusal: '' })
    expect(ofType(events, 'refusal.delta').map(({ delta }) => delta)).toEqual(['I will ', 'not.'])
    expect(ofType(events, 'refusal.done')[0]).toMatchObject({ refusal: 'I will not.', content_index: 0 })
    expect(finalOf(events).output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I will not.' }] }])
  })

  test('has citations as they arrive, even before the text', () => {
    const cite = (url: string): ReplyEvent => ({ kind: 'citation', citation: { url, title: 'T', start: 0, end: 2 } })
    const events = eventsOf([cite('https://a.example'), say('hi'), cite('https://b.example')])
    const added = ofType(events, 'output_text.annotation.added')
    const expected = ['https://a.example', 'https://b.example'].map((url) => ({
      type: 'url_citation',
      url,
      title: 'T',
      start_index: 0,
      end_index: 2,
    }))
    expect(added.map(({ annotation_index }) => annotation_index)).toEqual([0, 1])
    expect(added.map(({ annotation }) => annotation)).toEqual(expected)
    expect(finalOf(events).output).toMatchObject([{ content: [{ annotations: expected }] }])
  })

  test('has log probabilities with its text', () => {
    const content = [{ token: 'hi', logprob: -0.5, bytes: [104, 105], top_logprobs: [] }]
    const events = eventsOf([say('hi'), { kind: 'logprobs', logprobs: { content } }])
    expect(ofType(events, 'output_text.done')[0]?.logprobs).toEqual(content)
    expect(finalOf(events).output).toMatchObject([{ content: [{ logprobs: content }] }])
  })

  test('has pictures as results of the image tool', () => {
    const events = eventsOf([{ kind: 'image', data: 'AAAA', mime: 'image/webp' }])
    expect(finalOf(events).output).toMatchObject([
      { type: 'image_generation_call', status: 'completed', result: 'AAAA', output_format: 'webp' },
    ])
  })

  test('has one reply, though the upstream sent several', () => {
    const events = eventsOf([say('one'), { kind: 'text', text: 'two', choice: 1 }])
    expect(finalOf(events).output).toMatchObject([{ content: [{ text: 'one' }] }])
  })
})

describe('calls', () => {
  test('have an object as arguments, even if empty', () => {
    const events = eventsOf([call(0, 'c1')])
    expect(ofType(events, 'function_call_arguments.delta')).toMatchObject([{ delta: '{}' }])
    expect(finalOf(events).output).toMatchObject([{ type: 'function_call', call_id: 'c1', arguments: '{}' }])
  })

  test('keep arguments that are invalid JSON', () => {
    expect(finalOf(eventsOf([call(0, 'c1'), args(0, '{"a":')])).output).toMatchObject([{ arguments: '{"a":' }])
  })

  test('that are whole are sent when the next starts', () => {
    const writer = openaiResponses.writer(replyContext())
    for (const event of [call(0, 'c1'), args(0, '{"a":1}')]) writer.write(event)
    expect(payloads(writer.write(call(1, 'c2'))).map(({ type }) => type)).toEqual([
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
    ])
  })

  test('that interleave are sent one after another', () => {
    const events = eventsOf([
      call(0, 'c1'),
      call(1, 'c2'),
      args(1, '{"b":'),
      args(0, '{"a":'),
      args(1, '2}'),
      args(0, '1}'),
      say('done'),
    ])
    const order = events
      .filter(({ output_index }) => output_index !== undefined)
      .map(({ output_index }) => output_index)
    expect(order).toEqual([...order].sort())
    expect(finalOf(events).output).toMatchObject([
      { call_id: 'c1', arguments: '{"a":1}' },
      { call_id: 'c2', arguments: '{"b":2}' },
      { type: 'message', content: [{ text: 'done' }] },
    ])
    const deltas = ofType(events, 'function_call_arguments.delta')
    expect(deltas.map(({ output_index, delta }) => [output_index, delta])).toEqual([
      [0, '{"a":'],
      [0, '1}'],
      [1, '{"b":2}'],
    ])
  })

  test('of custom tools have their raw input', () => {
    const events = eventsOf([call(0, 'c1', { custom: true }), args(0, 'ls '), args(0, '-l')])
    expect(ofType(events, 'custom_tool_call_input.delta').map(({ delta }) => delta)).toEqual(['ls ', '-l'])
    expect(ofType(events, 'custom_tool_call_input.done')).toMatchObject([{ input: 'ls -l' }])
    const [item] = objectsOf(finalOf(events).output)
    expect(item).toMatchObject({ type: 'custom_tool_call', call_id: 'c1', name: 'look', input: 'ls -l' })
    expect(item?.id).toMatch(/^ctc_[0-9a-f]{24,}$/)
  })

  test('have their own id beside the call_id', () => {
    const [item] = objectsOf(finalOf(eventsOf([call(0, 'toolu_1'), args(0, '{}')])).output)
    expect(item?.call_id).toBe('toolu_1')
    expect(item?.id).toMatch(/^fc_/)
  })
})

describe('signatures', () => {
  const itemsOf = (events: ReplyEvent[]) => objectsOf(finalOf(eventsOf(events)).output)

  test('follow the reasoning that they sign, and end it', () => {
    const items = itemsOf([think('a'), { kind: 'signature', signature: 'one' }, think('b'), say('c')])
    expect(items.map(({ summary }) => summary)).toEqual([
      [{ type: 'summary_text', text: 'a' }],
      [{ type: 'summary_text', text: 'b' }],
      undefined,
    ])
    expect(items.map(({ encrypted_content }) => decodeSignatures(encrypted_content))).toEqual([
      { signature: 'one' },
      undefined,
      undefined,
    ])
  })

  test('contain a whole encrypted reasoning item', () => {
    const [item] = itemsOf([{ kind: 'redacted', data: 'secret' }])
    expect(item?.summary).toEqual([])
    expect(decodeSignatures(item?.encrypted_content)).toEqual({ redacted: 'secret' })
  })

  test('of a call are in the preceding reasoning, or in an empty one', () => {
    const after = itemsOf([think('a'), call(0, 'c1', { signature: 's' }), args(0, '{}')])
    expect(after.map(({ type }) => type)).toEqual(['reasoning', 'function_call'])
    expect(decodeSignatures(after[0]?.encrypted_content)).toEqual({ calls: { c1: 's' } })
    const alone = itemsOf([say('a'), call(0, 'c1', { signature: 's' }), args(0, '{}')])
    expect(alone.map(({ type }) => type)).toEqual(['message', 'reasoning', 'function_call'])
  })

  test('survive a round trip through the client', () => {
    const input = itemsOf([
      think('a'),
      { kind: 'signature', signature: 'one' },
      call(0, 'c1', { signature: 'two' }),
      args(0, '{}'),
    ])
    expect(openaiResponses.parse({ input }).turns).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'a', signature: 'one' },
          { kind: 'call', id: 'c1', name: 'look', arguments: '{}', signature: 'two' },
        ],
      },
    ])
  })
})

describe('the end', () => {
  const cut = (reason: 'length' | 'filter') => eventsOf([say('half'), { kind: 'stop', reason }])

  test.each([
    ['length', 'max_output_tokens'],
    ['filter', 'content_filter'],
  ] as const)('for %s is incomplete, with its reason', (stop, reason) => {
    const events = cut(stop)
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason }, completed_at: null },
    })
    expect(ofType(events, 'output_item.done')).toMatchObject([{ item: { status: 'incomplete' } }])
    expect(finalOf(events).output).toMatchObject([{ status: 'incomplete' }])
  })

  test('for length keeps the complete items', () => {
    const events = eventsOf([say('whole'), call(0, 'c1'), args(0, '{"a"'), { kind: 'stop', reason: 'length' }])
    expect(objectsOf(finalOf(events).output).map(({ status }) => status)).toEqual(['completed', 'incomplete'])
  })

  test.each([{ kind: 'stop', reason: 'stop' }, { kind: 'stop', reason: 'tools' }, { kind: 'end' }] as ReplyEvent[])(
    'is complete for %j',
    (event) => {
      const events = eventsOf([say('all'), event])
      expect(finalOf(events)).toMatchObject({ status: 'completed', incomplete_details: null, error: null })
    },
  )

  test('has output, usage and both details, even of an empty reply', () => {
    const final = finalOf(payloads(writtenStream(openaiResponses, [], { usage: plainUsage(3, 0) })))
    expect(typesOf([])).toEqual(['created', 'in_progress', 'completed'])
    expect(final.output).toEqual([])
    expect(final.usage).toEqual({
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 3,
    })
  })

  test('includes tokens written to a cache', () => {
    const usage = { ...plainUsage(9, 1), cachedTokens: 2, cacheWriteTokens: 3 }
    const final = finalOf(payloads(writtenStream(openaiResponses, [say('a')], { usage })))
    expect(final.usage).toMatchObject({ input_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 } })
  })
})

describe('a stream that breaks off', () => {
  test('ends with the failed response and its output, and nothing after it', () => {
    const writer = openaiResponses.writer(replyContext())
    const before = payloads(writer.write(think('a')) + writer.write(say('half')))
    const wire = writer.interrupted(relayError())
    const [failed, ...more] = payloads(wire)
    expect(more).toEqual([])
    expect(wire).not.toContain('[DONE]')
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: before.length,
      response: {
        status: 'failed',
        error: { code: 'server_error', message: relayError().message },
        output: [{ type: 'reasoning' }, { type: 'message', status: 'incomplete', content: [{ text: 'half' }] }],
      },
    })
    expect(recordOf(failed?.response).id).toBe(recordOf(before[0]?.response).id)
  })

  test('reports a rate limit if that was the cause', () => {
    const writer = openaiResponses.writer(replyContext())
    writer.write(say('half'))
    expect(writer.interrupted(relayError({ status: 429 }))).toContain('"code":"rate_limit_exceeded"')
  })

  test('before its start is an error event', () => {
    const [event] = payloads(openaiResponses.writer(replyContext()).interrupted(relayError()))
    expect(event).toEqual({
      type: 'error',
      sequence_number: 0,
      code: 'upstream_broke',
      message: relayError().message,
      param: null,
    })
  })
})
