import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { type ChatBodyOptions, chatBody } from '../../../../../server/relay/providers/openai/chat-body.ts'

const OPTIONS: ChatBodyOptions = { model: 'm', stream: false }
const PNG = { data: 'aGk=', mime: 'image/png' }

function body(fields: Partial<Conversation>, options: Partial<ChatBodyOptions> = {}) {
  return chatBody({ turns: [], tools: [], extras: {}, ...fields }, { ...OPTIONS, ...options })
}
function messages(turns: readonly Turn[], options: Partial<ChatBodyOptions> = {}) {
  return body({ turns }, options).messages
}
const text = (words: string): Part => ({ kind: 'text', text: words })
const call = (id: string, args = '{"a":1}'): Part => ({ kind: 'call', id, name: 'look', arguments: args })
const result = (callId: string, ...parts: Part[]): Part => ({ kind: 'result', callId, parts })

describe('turns', () => {
  const CASES: [string, Turn[], unknown[], Partial<ChatBodyOptions>?][] = [
    [
      'all system turns stay, in order and in place',
      [
        { role: 'system', parts: [text('one'), text('two')] },
        { role: 'user', parts: [text('hi')] },
        { role: 'system', parts: [text('three')] },
      ],
      [
        { role: 'system', content: 'one\n\ntwo' },
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'three' },
      ],
    ],
    [
      'a speaker keeps the name',
      [{ role: 'user', parts: [text('hi')], name: 'ada' }],
      [{ role: 'user', content: 'hi', name: 'ada' }],
    ],
    [
      'what is not a lone text is parts',
      [
        {
          role: 'user',
          parts: [
            text('see'),
            { kind: 'image', media: { url: 'https://x.example/a.png' }, detail: 'low' },
            { kind: 'image', media: PNG },
            { kind: 'audio', data: 'UklG', format: 'wav' },
            { kind: 'file', media: { data: 'JVBE', mime: 'application/pdf' } },
            { kind: 'file', media: { id: 'file-1' } },
            { kind: 'file', media: { text: 'plain' }, name: 'a.txt' },
            { kind: 'other', part: { type: 'video_url', video_url: { url: 'v' } } },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
            { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
            { type: 'file', file: { file_id: 'file-1' } },
            { type: 'text', text: 'a.txt:\nplain' },
            { type: 'video_url', video_url: { url: 'v' } },
          ],
        },
      ],
    ],
    [
      'results become tool messages before the rest of the turn, their images a message of the user',
      [
        { role: 'assistant', parts: [text('wait'), call('1'), call('2', ''), text('…')] },
        {
          role: 'user',
          parts: [
            text('and then?'),
            result('1', text('a'), text('b')),
            { kind: 'result', callId: '2', parts: [{ kind: 'image', media: PNG }], isError: true },
          ],
        },
      ],
      [
        {
          role: 'assistant',
          content: 'wait…',
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
            { id: '2', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: 'a\nb' },
        { role: 'tool', tool_call_id: '2', content: 'Error: The result follows in the next message.' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'text', text: 'and then?' },
          ],
        },
      ],
    ],
    [
      'images of one result never come between two tool messages',
      [
        { role: 'assistant', parts: [call('1'), call('2')] },
        { role: 'user', parts: [result('1', { kind: 'image', media: PNG })] },
        { role: 'user', parts: [result('2', text('b'))] },
        { role: 'assistant', parts: [text('done')] },
      ],
      [
        expect.objectContaining({ role: 'assistant', content: null }),
        expect.objectContaining({ role: 'tool', tool_call_id: '1' }),
        expect.objectContaining({ role: 'tool', tool_call_id: '2' }),
        expect.objectContaining({ role: 'user' }),
        { role: 'assistant', content: 'done' },
      ],
    ],
    [
      'a result that came late is put after its call, a missing one is told, an orphan is text',
      [
        { role: 'assistant', parts: [call('1'), call('2')] },
        { role: 'user', parts: [text('hm'), result('9', text('lost'))] },
        { role: 'user', parts: [result('1', text('late'))] },
      ],
      [
        expect.objectContaining({ role: 'assistant' }),
        { role: 'tool', tool_call_id: '1', content: 'late' },
        { role: 'tool', tool_call_id: '2', content: 'Error: (no result)' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'lost' },
            { type: 'text', text: 'hm' },
          ],
        },
      ],
    ],
    [
      'broken arguments go on as they are',
      [
        { role: 'assistant', parts: [call('1', '{"a":')] },
        { role: 'user', parts: [result('1', text('no'))] },
      ],
      [
        expect.objectContaining({
          tool_calls: [expect.objectContaining({ function: { name: 'look', arguments: '{"a":' } })],
        }),
        { role: 'tool', tool_call_id: '1', content: 'no' },
      ],
    ],
    [
      'a refusal is what the assistant said',
      [{ role: 'assistant', parts: [{ kind: 'refusal', text: 'No.' }] }],
      [{ role: 'assistant', content: 'No.' }],
    ],
    [
      'a picture that the assistant made is shown by the user',
      [
        { role: 'assistant', parts: [text('here'), { kind: 'image', media: PNG }] },
        { role: 'user', parts: [text('bluer')] },
      ],
      [
        { role: 'assistant', content: 'here' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'text', text: 'bluer' },
          ],
        },
      ],
    ],
    [
      'thoughts stay away from vendors that do not take them',
      [{ role: 'assistant', parts: [{ kind: 'reasoning', text: 'hm', signature: 's' }, text('yes')] }],
      [{ role: 'assistant', content: 'yes' }],
    ],
    [
      'thoughts go back as text',
      [
        {
          role: 'assistant',
          parts: [{ kind: 'reasoning', text: 'hm' }, { kind: 'reasoning', text: '!' }, text('yes')],
        },
      ],
      [{ role: 'assistant', content: 'yes', reasoning_content: 'hm!' }],
      { reasoning: 'content' },
    ],
    [
      'thoughts go back with signatures, in their order',
      [
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'hm', signature: 's' },
            { kind: 'reasoning', text: '', redacted: 'x' },
            text('y'),
          ],
        },
      ],
      [
        {
          role: 'assistant',
          content: 'y',
          reasoning_details: [
            { type: 'reasoning.text', text: 'hm', signature: 's' },
            { type: 'reasoning.encrypted', data: 'x' },
          ],
        },
      ],
      { reasoning: 'details' },
    ],
    [
      'cache marks stay where they are honoured',
      [{ role: 'user', parts: [{ kind: 'text', text: 'hi', cache: { type: 'ephemeral' } }] }],
      [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
      { cacheMarks: true },
    ],
    [
      'a reply that is to be gone on with is marked in the vendor’s word',
      [{ role: 'assistant', parts: [text('{')] }],
      [{ role: 'assistant', content: '{', partial: true }],
      { prefix: 'partial' },
    ],
  ]
  test.each(CASES)('%s', (_, turns, expected, options) => {
    expect(messages(turns, options)).toEqual(expected)
  })

  test("a call's signature is forwarded, unless the vendor is strict", () => {
    const turns: Turn[] = [
      { role: 'assistant', parts: [{ kind: 'call', id: '1', name: 'f', arguments: '{}', signature: 'sig' }] },
      { role: 'user', parts: [result('1', text('r'))] },
    ]
    expect(messages(turns)).toMatchObject([
      { tool_calls: [{ extra_content: { google: { thought_signature: 'sig' } } }] },
      {},
    ])
    expect(JSON.stringify(messages(turns, { strict: true }))).not.toContain('sig')
  })
})

describe('fields', () => {
  test('zero is sent, and absent is not', () => {
    const sent = body({ temperature: 0, topP: 0, topK: 0, seed: 0, choices: 0, presencePenalty: 0, maxTokens: 0 })
    expect(sent).toEqual({
      ...{ model: 'm', messages: [], stream: false },
      ...{ temperature: 0, top_p: 0, top_k: 0, seed: 0, n: 0, presence_penalty: 0, max_tokens: 0 },
    })
  })

  test('unknown fields are forwarded', () => {
    expect(body({ extras: { enable_thinking: false, provider: { only: ['x'] } } })).toMatchObject({
      enable_thinking: false,
      provider: { only: ['x'] },
    })
  })

  test('stream usage is requested if the vendor supports it', () => {
    expect(body({}, { stream: true, streamUsage: true }).stream_options).toEqual({ include_usage: true })
    expect(body({}, { stream: true })).not.toHaveProperty('stream_options')
    expect(body({}, { streamUsage: true })).not.toHaveProperty('stream_options')
  })

  test.each([
    [{ effort: 'high' as const, budget: 1 }, 'high'],
    [{ budget: 0 }, 'none'],
    [{ budget: -1 }, undefined],
    [{ budget: 2047 }, 'low'],
    [{ budget: 2048 }, 'medium'],
    [{ budget: 8192 }, 'high'],
  ])('reasoning %j is the effort %s', (reasoning, effort) => {
    expect(body({ reasoning }).reasoning_effort).toBe(effort)
  })

  test('formats of replies', () => {
    expect(body({ format: { kind: 'json' } }).response_format).toEqual({ type: 'json_object' })
    expect(
      body({ format: { kind: 'schema', name: 'out', schema: { type: 'object' }, strict: false } }).response_format,
    ).toEqual({ type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' }, strict: false } })
  })

  test('a long user becomes the same digest each time', () => {
    expect(body({ user: 'u'.repeat(64) }).user).toBe('u'.repeat(64))
    expect(body({ user: 'u'.repeat(65) }).user).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('tools', () => {
  const tools = [
    { name: 'a', parameters: { type: 'object', properties: { x: {} } }, strict: true, description: 'A' },
    { name: 'b' },
  ]
  const A = {
    type: 'function',
    function: { name: 'a', description: 'A', strict: true, parameters: { type: 'object', properties: { x: {} } } },
  }
  const B = { type: 'function', function: { name: 'b', parameters: { type: 'object', properties: {} } } }

  test('a tool without arguments has an empty schema', () => expect(body({ tools }).tools).toEqual([A, B]))

  test.each([
    [{ mode: 'auto' as const }, 'auto', [A, B]],
    [{ mode: 'none' as const }, 'none', [A, B]],
    [{ mode: 'required' as const }, 'required', [A, B]],
    [{ mode: 'required' as const, names: ['b'] }, { type: 'function', function: { name: 'b' } }, [A, B]],
    [{ mode: 'auto' as const, names: ['a'] }, 'auto', [A]],
    [{ mode: 'required' as const, names: ['a', 'b'] }, 'required', [A, B]],
  ])('the choice %j', (toolChoice, choice, left) => {
    expect(body({ tools, toolChoice })).toMatchObject({ tool_choice: choice, tools: left })
  })

  test('a choice and parallel calls are dropped without tools', () => {
    const sent = body({ toolChoice: { mode: 'required' }, parallelCalls: false })
    expect(Object.keys(sent)).toEqual(['model', 'messages', 'stream'])
    expect(body({ tools, parallelCalls: false }).parallel_tool_calls).toBe(false)
  })

  test('a tool with free text is a function with one argument if custom tools are unsupported', () => {
    const patch = { name: 'patch', custom: { format: { type: 'text' } } }
    const turns: Turn[] = [
      { role: 'assistant', parts: [{ kind: 'call', id: '1', name: 'patch', arguments: 'go', custom: true }] },
      { role: 'user', parts: [result('1', text('ok'))] },
    ]
    expect(body({ tools: [patch], turns }, { customTools: true })).toMatchObject({
      tools: [{ type: 'custom', custom: { name: 'patch', format: { type: 'text' } } }],
      messages: [{ tool_calls: [{ type: 'custom', custom: { name: 'patch', input: 'go' } }] }, {}],
    })
    expect(body({ tools: [patch], turns })).toMatchObject({
      tools: [{ type: 'function', function: { name: 'patch', parameters: { required: ['input'] } } }],
      messages: [{ tool_calls: [{ type: 'function', function: { name: 'patch', arguments: '{"input":"go"}' } }] }, {}],
    })
  })

  test('a tool of the same format is forwarded, one of another vendor is not', () => {
    const builtin = { type: 'builtin_function', function: { name: '$web_search' } }
    const tools = [{ name: 'builtin_function', vendor: { dialect: 'openai-chat', tool: builtin } }]
    expect(body({ tools }).tools).toEqual([builtin])
    const foreign = { name: 'computer_1', vendor: { dialect: 'anthropic-messages', tool: { type: 'computer_1' } } }
    expect(() => body({ tools: [...tools, foreign] })).toThrow(/computer_1 runs only at its own vendor/)
  })

  test('metadata is forwarded only from chats, whose clients can also set store', () => {
    const fields = { metadata: { a: 'b' }, extras: { store: true } }
    expect(body(fields)).toMatchObject({ metadata: { a: 'b' }, store: true })
    expect(body({ ...fields, client: 'openai-responses' })).not.toHaveProperty('metadata')
  })

  test('fields of another format are forwarded only if chat completions have them', () => {
    const extras = { client_metadata: {}, prompt_cache_key: 'k', logit_bias: {}, enable_thinking: true }
    expect(body({ extras })).toMatchObject(extras)
    const translated = body({ extras, client: 'openai-responses' })
    expect(translated).toMatchObject({ logit_bias: {} })
    for (const name of ['client_metadata', 'prompt_cache_key', 'enable_thinking'])
      expect(translated).not.toHaveProperty(name)
  })
})
