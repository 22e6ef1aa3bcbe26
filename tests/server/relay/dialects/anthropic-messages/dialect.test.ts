import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { estimatePrompt } from '../../../../../server/relay/counting/prompt.ts'
import { anthropicMessages } from '../../../../../server/relay/dialects/anthropic-messages/dialect.ts'
import { anthropicModelList } from '../../../../../server/relay/dialects/anthropic-messages/models.ts'
import type { RelayError } from '../../../../../server/relay/dialects/dialect.ts'
import { GOLDEN_MESSAGES } from '../../../../support/golden-messages.ts'
import { replyContext } from '../../../../support/reply-context.ts'
import { sse, streamEvents } from '../../../../support/wire.ts'

function whole(events: ReplyEvent[], body = {}) {
  return anthropicMessages.whole(collect(events), plainUsage(20, 12), replyContext({ model: 'm', body }))
}

const text = (content: string): ReplyEvent => ({ kind: 'text', text: content })
const call = (id: string, args: string, number = 0): ReplyEvent[] => [
  { kind: 'call', call: number, id, name: 'look' },
  { kind: 'arguments', call: number, text: args },
]

describe('a whole message', () => {
  test('has reasoning, text and calls in this order', () => {
    const message = whole([
      { kind: 'start', id: 'chatcmpl-1', model: 'other' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'signature', signature: 'c2ln' },
      { kind: 'redacted', data: 'ZA' },
      text('One '),
      text('two'),
      ...call('c1', '{"at":"Oslo"}'),
      ...call('c2', '', 1),
      { kind: 'stop', reason: 'tools' },
    ])
    expect(message).toEqual({
      id: 'msg_req1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      container: null,
      diagnostics: null,
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZA' },
        { type: 'text', text: 'One two' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'Oslo' }, caller: { type: 'direct' } },
        { type: 'tool_use', id: 'c2', name: 'look', input: {}, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 20,
        cache_creation: null,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 12,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    })
  })

  test.each<[string, ReplyEvent[], object]>([
    [
      'an unsigned thought has an empty signature',
      [{ kind: 'reasoning', text: 'Hm' }],
      { content: [{ signature: '' }] },
    ],
    ['nothing is an empty text', [], { content: [{ type: 'text', text: '' }], stop_reason: 'end_turn' }],
    ['calls need no text', call('c1', '{}'), { content: [{ type: 'tool_use' }], stop_reason: 'tool_use' }],
    ['arguments that are no JSON are an empty object', call('c1', '{"a":'), { content: [{ input: {} }] }],
    ['a limit stays one', [...call('c1', ''), { kind: 'stop', reason: 'length' }], { stop_reason: 'max_tokens' }],
    [
      'a refusal is text, and the reason',
      [
        { kind: 'refusal', text: 'No' },
        { kind: 'stop', reason: 'stop' },
      ],
      { content: [{ type: 'text', text: 'No' }], stop_reason: 'refusal' },
    ],
    [
      'a filter is a refusal, with what is unknown of it',
      [{ kind: 'stop', reason: 'filter' }],
      { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: null } },
    ],
    [
      'of several replies the first counts',
      [text('a'), { kind: 'text', text: 'b', choice: 1 }],
      { content: [{ text: 'a' }] },
    ],
    [
      'places on the web are citations',
      [text('a'), { kind: 'citation', citation: { url: 'https://a.example', quote: 'q' } }],
      { content: [{ citations: [{ type: 'web_search_result_location', url: 'https://a.example', cited_text: 'q' }] }] },
    ],
  ])('%s', (_, events, message) => {
    const written = whole(events)
    expect(written).toMatchObject(message)
  })

  test("names the client's stop sequence that was found", () => {
    const events: ReplyEvent[] = [text('a'), { kind: 'stop', reason: 'stop', sequence: 'END' }]
    expect(whole(events, { stop_sequences: ['END'] })).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
  })
})

describe("the upstream's own stream", () => {
  const wire = sse(...GOLDEN_MESSAGES.map((payload): [string, unknown] => [payload.type, payload]))
  const passed = (given: string, model?: string) => {
    const renaming = model === undefined ? {} : { model, renamesModel: true }
    const stream = anthropicMessages.forwarder(replyContext(renaming))
    return streamEvents(given)
      .map((event) => stream.forward(event)?.toString() ?? '')
      .join('')
  }

  test('passes unchanged, with unknown events and blocks', () => {
    const strange = sse(['ping', { type: 'ping' }], ['new_event', { type: 'new_event', big: 1 }])
    expect(passed(strange + wire)).toBe(strange + wire)
  })

  test("has the client's name of a mapped model, and is otherwise unchanged", () => {
    expect(passed(wire, 'asked')).toBe(wire.replace('"model":"m"', '"model":"asked"'))
  })

  test('gets event names if they are missing, and loses events not for clients', () => {
    const bare = sse({ type: 'message_stop' }, '[DONE]')
    expect(passed(bare)).toBe('event: message_stop\ndata: {"type":"message_stop"}\n\n')
  })

  test('waits for the charge from message_delta on', () => {
    const stream = anthropicMessages.forwarder(replyContext({ model: 'm' }))
    const events = streamEvents(wire + sse(['later', { type: 'later' }]))
    const waiting = events.filter((event) => stream.isLast(event)).map(({ name }) => name)
    expect(waiting).toEqual(['message_delta', 'message_stop'])
    for (const event of events) stream.forward(event)
    expect(stream.end(plainUsage(1, 1))).toBe('')
  })

  test("as a whole body gets the client's model name too", () => {
    expect(anthropicMessages.withModelName({ id: 'msg_1', model: 'other', new: 1 }, 'm')).toEqual({
      id: 'msg_1',
      model: 'm',
      new: 1,
    })
  })
})

describe('an error', () => {
  const error = (fields: Partial<RelayError>): RelayError => ({
    status: 500,
    message: 'No (request id: req1)',
    type: 'gateway_error',
    param: null,
    code: null,
    requestId: 'req1',
    ...fields,
  })

  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [409, 'conflict_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('of status %i is of type %s', (status, type) => {
    expect(anthropicMessages.error(error({ status }))).toEqual({
      body: { type: 'error', error: { type, message: 'No (request id: req1)' }, request_id: 'req1' },
      headers: { 'request-id': 'req1' },
    })
  })

  test.each(['insufficient_user_quota', 'insufficient_token_quota', 'insufficient_quota'])(
    '%s is not retryable',
    (code) => {
      expect(anthropicMessages.error(error({ status: 403, code })).headers).toMatchObject({ 'x-should-retry': 'false' })
    },
  )

  test('in a stream is a named event', () => {
    expect(anthropicMessages.errorEvent(error({ status: 529 }), replyContext())).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"No (request id: req1)"},"request_id":"req1"}\n\n',
    )
  })
})

test('a ping is a named event', () => {
  expect(anthropicMessages.ping).toBe('event: ping\ndata: {"type":"ping"}\n\n')
})

describe('the prompt', () => {
  test('includes every text, and no base64', () => {
    const { texts, otherTokens, files } = anthropicMessages.prompt({
      system: [{ type: 'text', text: 'system text' }],
      tools: [{ name: 'tool name', description: 'tool text', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'plain text' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'thought text' },
            { type: 'tool_use', name: 'called', input: { at: 'input text' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'result text' }] },
            { type: 'tool_result', tool_use_id: '2', content: 'bare result' },
            { type: 'image', source: { type: 'base64', data: 'BASE64'.repeat(1000) } },
            { type: 'document', title: 'title text', source: { type: 'text', data: 'document text' } },
          ],
        },
      ],
    })
    const all = texts.join(' ')
    for (const text of ['system', 'plain', 'thought', 'input', 'result', 'title', 'document'])
      expect(all).toContain(`${text} text`)
    for (const text of ['tool name', 'tool text', 'called', 'bare result']) expect(all).toContain(text)
    expect(all).not.toContain('BASE64')
    expect(otherTokens).toBe(3 * 4 + 3)
    expect(files).toMatchObject([{ kind: 'image' }])
  })

  test('of a body without a limit has the same count', () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const of = (body: object) => estimatePrompt(anthropicMessages.prompt({ ...body }))
    expect(of({ model: 'm', messages })).toBe(of({ model: 'm', messages, max_tokens: 5 }))
  })

  test("may be answered with the client's limit, once", () => {
    expect(anthropicMessages.limit({ max_tokens: 77 })).toEqual({ tokens: 77, choices: 1 })
    const thinking = { type: 'enabled', budget_tokens: 900 }
    expect(anthropicMessages.limit({ max_tokens: 77, thinking })).toEqual({ tokens: 900, choices: 1 })
  })
})

describe("a channel's system prompt", () => {
  const block = { type: 'text', text: 'Own' }
  test.each([
    ['given to who has none', undefined, false, 'Ours'],
    ['given to who has an empty one', '', false, 'Ours'],
    ['given to who has none, in front of it', [], true, 'Ours'],
    ['kept from who has one', 'Own', false, 'Own'],
    ['kept from who has blocks', [block], false, [block]],
    ['in front of a text', 'Own', true, 'Ours\n\nOwn'],
    ['in front of blocks', [block], true, [{ type: 'text', text: 'Ours' }, block]],
  ])('is %s', (_, system, before, result) => {
    const body = { model: 'm', ...(system !== undefined && { system }) }
    expect(anthropicMessages.withSystemPrompt(body, 'Ours', { before })).toEqual({ model: 'm', system: result })
  })
})

test("models are listed in Anthropic's format", () => {
  const unknown = { deprecated_at: null, retires_at: null, line: null, max_input_tokens: null, max_tokens: null }
  const active = { lifecycle: 'active', ...unknown }
  expect(anthropicModelList(['a', 'b'], { created: 1_700_000_000 })).toEqual({
    data: [
      { type: 'model', id: 'a', display_name: 'a', created_at: '2023-11-14T22:13:20.000Z', ...active },
      { type: 'model', id: 'b', display_name: 'b', created_at: '2023-11-14T22:13:20.000Z', ...active },
    ],
    has_more: false,
    first_id: 'a',
    last_id: 'b',
  })
  expect(anthropicModelList([])).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
})
