import { describe, expect, test } from 'vitest'
import type { ReplyRules } from '../../../../../core/channels/settings/quirks.ts'
import { findChannelType } from '../../../../../core/channels/types/types.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import { chatReader } from '../../../../../server/relay/providers/openai/chat-reader.ts'
import { readStream, sse } from '../../../../support/wire.ts'

type Wire = Record<string, unknown>

const chunk = (delta: Wire, rest: Wire = {}, top: Wire = {}): Wire => ({
  id: 'c1',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
  ...top,
})
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string): Wire => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
})
const stop = (reason: unknown): Wire => chunk({}, { finish_reason: reason })
const usage = (prompt: number, completion: number, more: Wire = {}): Wire => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
})

function steps(payloads: unknown[], rules?: ReplyRules, pieceBytes?: number) {
  const wire = sse(...payloads, '[DONE]')
  return readStream(chatReader(rules), wire, pieceBytes ? { pieceBytes } : {})
}
const reply = (payloads: unknown[], rules?: ReplyRules) => collect(steps(payloads, rules))
const first = (payloads: unknown[], rules?: ReplyRules) => reply(payloads, rules).choices[0]
const rulesOf = (type: number): ReplyRules => findChannelType(type)?.quirks?.reply ?? {}

describe('calls of tools', () => {
  test.each<[string, Wire[]]>([
    [
      'without an index',
      [
        call(undefined, 'a', 'f', '{"x"'),
        call(undefined, undefined, undefined, ':1}'),
        call(undefined, 'b', 'g', '{}'),
      ],
    ],
    ['counted from one', [call(1, 'a', 'f', '{"x"'), call(1, undefined, undefined, ':1}'), call(2, 'b', 'g', '{}')]],
    ['counted with holes', [call(3, 'a', 'f', '{"x":1}'), call(7, 'b', 'g', '{}')]],
    ['that share an index', [call(0, 'a', 'f', '{"x":1}'), call(0, 'b', 'g', '{}')]],
    [
      'that alternate',
      [
        call(0, 'a', 'f', '{"x"'),
        call(1, 'b', 'g', '{'),
        call(0, undefined, undefined, ':1}'),
        call(1, undefined, undefined, '}'),
      ],
    ],
    [
      'whose arguments come before the name',
      [call(0, 'a', undefined, '{"x"'), call(0, undefined, 'f', ':1}'), call(1, 'b', 'g', '{}')],
    ],
    [
      'whose name comes in pieces',
      [
        call(0, 'a', '', ''),
        call(0, undefined, 'f', ''),
        call(0, undefined, undefined, '{"x":1}'),
        call(1, 'b', 'g', '{}'),
      ],
    ],
    [
      'whose arguments are an object',
      [{ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }] }, call(1, 'b', 'g', '{}')],
    ],
  ])('%s are two calls, counted from zero', (_, deltas) => {
    expect(first([...deltas.map((delta) => chunk(delta)), stop('tool_calls')])).toMatchObject({
      calls: [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
      stop: 'tools',
    })
  })

  test('without an id get a generated one', () => {
    expect(first([chunk(call(0, undefined, 'f', '{}')), stop('stop')])?.calls[0]?.id).toMatch(/^.+$/)
  })

  test('keep invalid arguments', () => {
    expect(first([chunk(call(0, 'a', 'f', '{"x":')), stop('length')])).toMatchObject({
      calls: [{ arguments: '{"x":' }],
      stop: 'length',
    })
  })

  test('have the signature of their reasoning', () => {
    const wire = {
      index: 0,
      id: 'a',
      function: { name: 'f', arguments: '{}' },
      extra_content: { google: { thought_signature: 's' } },
    }
    expect(first([chunk({ tool_calls: [wire] }), stop('stop')])?.calls).toMatchObject([{ signature: 's' }])
  })

  test('turn the reason `stop` into calls, across chunks, but no other reason', () => {
    const made = chunk(call(0, 'a', 'f', '{}'))
    expect(first([made, stop('stop')])?.stop).toBe('tools')
    expect(first([made, stop('length')])?.stop).toBe('length')
    expect(first([made, stop('content_filter')])?.stop).toBe('filter')
  })
})

describe('texts', () => {
  test('a whole message after its deltas is not repeated', () => {
    const whole = { index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }
    expect(first([chunk({ content: 'hel' }), chunk({ content: 'lo' }), { choices: [whole] }])).toMatchObject({
      text: 'hello',
      stop: 'stop',
    })
  })

  test('a message that grows beside its deltas is not repeated', () => {
    const grown = (delta: string, message: string) => ({
      choices: [{ index: 0, delta: { content: delta }, message: { content: message } }],
    })
    expect(first([grown('a', 'a'), grown('b', 'ab'), stop('stop')])?.text).toBe('ab')
  })

  test('content parts are text and reasoning', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'yes' },
      { type: 'reference', reference_ids: [1] },
    ]
    expect(first([chunk({ content }), stop('stop')])).toMatchObject({ text: 'yes', reasoning: [{ text: 'hm' }] })
  })

  test.each(['reasoning_content', 'reasoning'])('%s is reasoning', (name) => {
    expect(first([chunk({ [name]: 'hm' }), chunk({ content: 'a' })])?.reasoning).toEqual([
      { kind: 'reasoning', text: 'hm' },
    ])
  })

  test('reasoning under two names is read once, with its signature', () => {
    const delta = { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }] }
    expect(first([chunk(delta)])?.reasoning).toEqual([{ kind: 'reasoning', text: 'hm', signature: 's' }])
  })

  test('several replies stay separate', () => {
    const of = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })
    expect(reply([of(0, 'a'), of(1, 'x'), of(0, 'b')]).choices).toMatchObject([{ text: 'ab' }, { text: 'x' }])
  })

  test('a character split in two arrives whole', () => {
    const cut = steps([chunk({ content: '世界🎉' }), stop('stop')], {}, 1)
    expect(cut).toEqual(steps([chunk({ content: '世界🎉' }), stop('stop')]))
    expect(collect(cut).choices[0]?.text).toBe('世界🎉')
  })

  test('Azure’s filter chunks are ignored', () => {
    const events = steps([
      { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [{}] },
      chunk({ role: 'assistant', content: 'a' }),
      { choices: [{ index: 0, finish_reason: null, content_filter_results: {}, content_filter_offsets: {} }] },
      stop('stop'),
    ])
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'stop', 'end'])
    expect(events[0]).toEqual({ kind: 'start', id: 'c1', model: 'm' })
  })

  test('sources are sent once, however often they arrive', () => {
    const cited = { search_results: [{ title: 'A', url: 'https://a.example' }], citations: ['https://a.example'] }
    const { choices } = reply([chunk({ content: 'x' }, {}, cited), chunk({ content: 'y' }, {}, cited)])
    expect(choices[0]?.citations).toEqual([{ url: 'https://a.example', title: 'A' }])
    expect(first([chunk({ content: 'x' }, {}, { citations: ['https://b.example'] })])?.citations).toEqual([
      { url: 'https://b.example' },
    ])
    expect(
      first([chunk({ content: 'x' }, {}, { references: [{ url: 'https://c.example' }] })])?.citations,
    ).toHaveLength(1)
  })

  test('a reply of reasoning alone is a reply', () => {
    const events = chatReader().whole({
      choices: [{ index: 0, message: { content: '', reasoning_content: 'hm' }, finish_reason: 'length' }],
      usage: usage(1, 9),
    })
    expect(collect(events)).toMatchObject({
      choices: [{ text: '', reasoning: [{ text: 'hm' }] }],
      usage: { completionTokens: 9 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })
})

describe('finish reasons', () => {
  test.each([null, '', 'null'])('%j is none', (reason) => {
    expect(steps([chunk({ content: 'a' }, { finish_reason: reason })]).some(({ kind }) => kind === 'stop')).toBe(false)
  })

  test.each([
    [1, 'content_filter', 'filter'],
    [1, 'something new', 'stop'],
    [42, 'model_length', 'length'],
    [20, 'length', 'length'],
  ])('type %i: %s is %s', (type, reason, expected) => {
    expect(first([chunk({ content: 'a' }), stop(reason)], rulesOf(type))?.stop).toBe(expected)
  })

  test.each([
    [42, 'error'],
    [20, 'error'],
    [43, 'insufficient_system_resource'],
  ])('type %i: %s is a failure', (type, reason) => {
    const events = steps([chunk({ content: 'a' }), stop(reason)], rulesOf(type))
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'error', 'end'])
  })
})

describe('usage', () => {
  const used = (payloads: unknown[], type = 1) => reply(payloads, rulesOf(type)).usage

  test('is the last one, never a sum, and undefined if all zeros', () => {
    const chunks = [1, 2].map((n) => chunk({ content: 'a' }, {}, { usage: usage(5, n) }))
    expect(used([...chunks, { choices: [], usage: usage(0, 0) }])).toMatchObject({
      promptTokens: 5,
      completionTokens: 2,
    })
    expect(used([{ choices: [], usage: null }, { usage: usage(0, 0) }])).toBeUndefined()
  })

  test('of Moonshot is in the last choice', () => {
    expect(used([chunk({}, { finish_reason: 'stop', usage: usage(5, 6, { cached_tokens: 4 }) })], 25)).toMatchObject({
      ...{ promptTokens: 5, completionTokens: 6, cachedTokens: 4 },
    })
  })

  test('of DeepSeek has the cached tokens', () => {
    const wire = usage(5, 6, { prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 2 })
    expect(used([{ choices: [], usage: wire }], 43)).toMatchObject({ promptTokens: 5, cachedTokens: 3 })
  })

  test('of xAI excludes reasoning from its completion', () => {
    const wire = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 100 },
    }
    expect(used([{ choices: [], usage: wire }], 48)).toMatchObject({ completionTokens: 105, reasoningTokens: 100 })
    expect(used([{ choices: [], usage: wire }], 1)).toMatchObject({ completionTokens: 5 })
    expect(used([{ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }], 48)).toMatchObject({
      completionTokens: 5,
    })
  })

  test('of Ark’s bots is that of each called model', () => {
    const bot_usage = { model_usage: [usage(10, 1), usage(20, 2)] }
    expect(used([chunk({ content: 'a' }, {}, { bot_usage })], 45)).toMatchObject({
      promptTokens: 30,
      completionTokens: 3,
    })
  })

  test('of Groq and Perplexity is in vendor fields', () => {
    expect(used([{ choices: [], x_groq: { usage: usage(3, 4) } }])).toMatchObject({ promptTokens: 3 })
    expect(used([{ choices: [], usage: usage(3, 4, { reasoning_tokens: 2 }) }], 27)).toMatchObject({
      reasoningTokens: 2,
    })
  })
})

describe('failures with status 200', () => {
  const whole = (body: Wire, type = 1) => chatReader(rulesOf(type)).whole(body)

  test.each<[string, Wire, number, Wire]>([
    ['an error object', { error: { message: 'no', type: 't', code: 'c' } }, 1, { message: 'no', type: 't', code: 'c' }],
    ['an error in a text', { error: 'no' }, 48, { message: 'no' }],
    ['a status in its code', { error: { message: 'slow', code: 429 } }, 20, { message: 'slow', status: 429 }],
    [
      'MiniMax: out of money',
      { choices: null, base_resp: { status_code: 1008, status_msg: 'poor' } },
      35,
      { message: 'poor', code: '1008', status: 402 },
    ],
    ['MiniMax: filtered', { base_resp: { status_code: 1026, status_msg: 'bad' } }, 35, { status: 400 }],
    ['a hub’s refusal', { code: 50001, message: 'busy', data: null }, 40, { message: 'busy' }],
    [
      'a list of errors',
      { success: false, errors: [{ code: 7003, message: 'no route' }] },
      39,
      { message: 'no route' },
    ],
  ])('%s', (_, body, type, error) => {
    const events = whole(body, type)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ kind: 'error', error })
  })

  test.each<[string, Wire]>([
    ['null', { error: null }],
    ['an empty text', { error: '' }],
    ['MiniMax’s good word', { base_resp: { status_code: 0, status_msg: '' } }],
  ])('%s beside a reply is not a failure', (_, extra) => {
    const body = { choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }], ...extra }
    expect(whole(body, 35).map(({ kind }) => kind)).toEqual(['text', 'stop', 'end'])
  })

  test("an error in a stream is reported beside its chunk's content", () => {
    const broken = { error: { code: 502, message: 'gone' }, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }
    expect(steps([chunk({ content: 'a' }), broken]).filter(({ kind }) => kind === 'error')).toHaveLength(1)
  })
})

test('FastGPT’s flow events are ignored', () => {
  const payloads = [
    ['flowNodeStatus', { status: 'running', name: 'x', message: 'm', code: 1 }],
    ['answer', chunk({ content: 'a' })],
    ['fastAnswer', chunk({ content: 'b' })],
    ['flowResponses', [{ tokens: 1 }]],
    ['answer', stop('stop')],
  ]
  expect(reply(payloads, rulesOf(22)).choices[0]).toMatchObject({ text: 'ab', stop: 'stop' })
  expect(steps(payloads, rulesOf(22)).some(({ kind }) => kind === 'error')).toBe(false)
})
