import { describe, expect, test } from 'vitest'
import type { Body } from '../../../../../server/relay/dialects/dialect.ts'
import { openaiChat } from '../../../../../server/relay/dialects/openai-chat/dialect.ts'

const hello = { role: 'user', content: 'hello' }
const parse = (body: Body) => openaiChat.parse({ model: 'm', messages: [hello], ...body })
const turnsOf = (...messages: unknown[]) => parse({ messages }).turns
const partsOf = (...content: unknown[]) => turnsOf({ role: 'user', content })[0]?.parts

describe('messages', () => {
  test('all of several system messages are kept, in their positions', () => {
    const messages = [
      { role: 'system', content: 'a' },
      hello,
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
    ]
    expect(turnsOf(...messages).map(({ role, parts }) => [role, parts])).toEqual([
      ['system', [{ kind: 'text', text: 'a' }]],
      ['user', [{ kind: 'text', text: 'hello' }]],
      ['system', [{ kind: 'text', text: 'b' }]],
    ])
  })

  test('results of one turn are one user turn, with their images', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }
    expect(
      turnsOf(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'one' },
        { role: 'tool', tool_call_id: 'b', content: [image] },
      ),
    ).toEqual([
      { role: 'assistant', parts: [{ kind: 'call', id: 'a', name: 'f', arguments: '' }] },
      {
        role: 'user',
        parts: [
          { kind: 'result', callId: 'a', parts: [{ kind: 'text', text: 'one' }] },
          {
            kind: 'result',
            callId: 'b',
            parts: [{ kind: 'image', media: { data: 'AAAA', mime: 'image/png' }, detail: 'low' }],
          },
        ],
      },
    ])
  })

  test('reasoning is parsed with its signatures, or as plain text under either name', () => {
    const thoughts = (fields: object) => turnsOf({ role: 'assistant', content: 'x', ...fields })[0]?.parts.slice(0, -1)
    const reasoning_details = [
      { type: 'reasoning.text', text: 'hm', signature: 's' },
      { type: 'reasoning.encrypted', data: 'e' },
    ]
    expect(thoughts({ reasoning_content: 'hm', reasoning_details })).toEqual([
      { kind: 'reasoning', text: 'hm', signature: 's' },
      { kind: 'reasoning', text: '', redacted: 'e' },
    ])
    expect(thoughts({ reasoning_content: 'hm' })).toEqual([{ kind: 'reasoning', text: 'hm' }])
    expect(thoughts({ reasoning: 'hm' })).toEqual([{ kind: 'reasoning', text: 'hm' }])
  })

  test('calls of custom tools, of legacy functions and with a signature are calls', () => {
    const signed = { extra_content: { google: { thought_signature: 's' } } }
    const tool_calls = [
      { id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: { x: 1 } }, ...signed },
    ]
    expect(
      turnsOf({ role: 'assistant', tool_calls, function_call: { name: 'old', arguments: '{}' } })[0]?.parts,
    ).toEqual([
      { kind: 'call', id: 'a', name: 'shell', arguments: 'ls', custom: true },
      { kind: 'call', id: 'b', name: 'f', arguments: '{"x":1}', signature: 's' },
      { kind: 'call', id: 'old', name: 'old', arguments: '{}' },
    ])
  })

  test('two calls of one legacy function have their own results', () => {
    const function_call = { name: 'look', arguments: '{}' }
    const messages = ['one', 'two'].flatMap((content) => [
      { role: 'assistant', content: null, function_call },
      { role: 'function', name: 'look', content },
    ])
    const parts = turnsOf(...messages).flatMap((turn) => turn.parts)
    expect(parts.map((part) => (part.kind === 'result' ? part.callId : part.kind === 'call' && part.id))).toEqual([
      'look',
      'look',
      'look_2',
      'look_2',
    ])
  })

  test('parts of every kind, in unusual spellings too', () => {
    expect(
      partsOf(
        { type: 'input_text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'image_url', image_url: 'https://x/y.png' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        { type: 'file', file: { file_id: 'f' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        { type: 'video_url', video_url: { url: 'u' } },
      ),
    ).toEqual([
      { kind: 'text', text: 'a', cache: { type: 'ephemeral' } },
      { kind: 'image', media: { url: 'https://x/y.png' } },
      { kind: 'audio', data: 'AAAA', format: 'mp3' },
      { kind: 'file', media: { id: 'f' } },
      { kind: 'file', media: { data: 'AAAA', mime: 'application/pdf' }, name: 'a.pdf' },
      { kind: 'other', part: { type: 'video_url', video_url: { url: 'u' } } },
    ])
  })

  test.each([
    [['hello'], 'messages[0] must be an object'],
    [[hello, { role: 'robot', content: '' }], 'messages[1].role is "robot"'],
    [[hello, { content: '' }], 'messages[1].role must be system, developer, user, assistant or tool'],
    [[{ role: {}, content: '' }], 'messages[0].role must be system'],
    [[{ role: 'user', content: 5 }], 'messages[0].content must be a text or an array of parts'],
    [[{ role: 'user', content: ['a'] }], 'messages[0].content has a part that is no object'],
  ])('%j is rejected: %s', (messages, reason) => {
    expect(() => parse({ messages })).toThrow(
      expect.objectContaining({ params: { reason: expect.stringContaining(reason) } }),
    )
  })
})

describe('fields', () => {
  test('that are zero are sent, and null ones are not', () => {
    const zero = { temperature: 0, top_p: 0, seed: 0, n: 0, presence_penalty: 0, frequency_penalty: 0, top_logprobs: 0 }
    expect(parse({ ...zero, max_tokens: null, stop: null })).toMatchObject({
      temperature: 0,
      topP: 0,
      seed: 0,
      choices: 0,
    })
    expect(parse({ temperature: null, max_tokens: null })).toEqual({
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hello' }] }],
      tools: [],
      extras: {},
    })
  })

  test('with the newer limit name override the older', () => {
    expect(parse({ max_tokens: 5, max_completion_tokens: 9 }).maxTokens).toBe(9)
    expect(openaiChat.limit({ max_tokens: 5, max_completion_tokens: 9, n: 2 })).toEqual({ tokens: 9, choices: 2 })
  })

  test('that are unknown are kept for upstreams of the same format', () => {
    expect(parse({ enable_thinking: false, provider: { order: [] }, stream_options: {} }).extras).toEqual({
      enable_thinking: false,
      provider: { order: [] },
    })
  })

  test.each([
    ['auto', { mode: 'auto' }],
    ['none', { mode: 'none' }],
    [
      { type: 'function', function: { name: 'f' } },
      { mode: 'required', names: ['f'] },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      { mode: 'required', names: ['f'] },
    ],
  ])('a choice of tools: %j', (tool_choice, expected) => {
    expect(parse({ tool_choice }).toolChoice).toEqual(expected)
  })

  test('tools of every kind', () => {
    const parameters = { type: 'object', properties: {} }
    expect(
      parse({
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } },
          { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
          { type: 'web_search' },
        ],
        functions: [{ name: 'old' }],
      }).tools,
    ).toEqual([
      { name: 'f', description: 'd', parameters, strict: true },
      { name: 'c', custom: { format: { type: 'text' } } },
      { name: 'web_search', vendor: { dialect: 'openai-chat', tool: { type: 'web_search' } } },
      { name: 'old' },
    ])
  })

  test.each([
    [{ type: 'json_object' }, { kind: 'json' }],
    [{ type: 'text' }, undefined],
    [
      { type: 'json_schema', json_schema: { schema: { type: 'object' }, strict: false } },
      { kind: 'schema', name: 'output', schema: { type: 'object' }, strict: false },
    ],
  ])('a format: %j', (response_format, expected) => {
    expect(parse({ response_format }).format).toEqual(expected)
  })
})
