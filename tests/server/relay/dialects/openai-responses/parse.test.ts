import { describe, expect, test } from 'vitest'
import type { Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { encodeSignatures } from '../../../../../server/relay/conversation/envelope.ts'
import type { Body } from '../../../../../server/relay/dialects/dialect.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'

const parse = (body: Body) => openaiResponses.parse({ model: 'm', input: 'hello', ...body })
const turnsOf = (...input: unknown[]) => parse({ input }).turns
const user = (text: string): Turn => ({ role: 'user', parts: [{ kind: 'text', text }] })
const result = (callId: string, text: string) => ({
  kind: 'result',
  callId,
  parts: [{ kind: 'text', text }],
})

const call = (call_id: string, name = 'look') => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: '{"a":1}',
})
const output = (call_id: string, text: unknown) => ({ type: 'function_call_output', call_id, output: text })
const callPart = (id: string, name = 'look') => ({ kind: 'call', id, name, arguments: '{"a":1}' })

function reasonOf(body: Body): unknown {
  try {
    parse(body)
  } catch (error) {
    return (error as { params: unknown }).params
  }
  throw new Error('It was not refused')
}

describe('input', () => {
  test('as a text is a user message', () => {
    expect(parse({ input: 'hello' }).turns).toEqual([user('hello')])
  })

  test('follows the instructions', () => {
    expect(parse({ instructions: 'Be brief.' }).turns).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      user('hello'),
    ])
  })

  test('keeps every system and developer message, in order', () => {
    const turns = turnsOf(
      { role: 'system', content: 'one' },
      { role: 'user', content: 'two' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'three' }] },
    )
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
    expect(turns.flatMap(({ parts }) => parts)).toEqual(['one', 'two', 'three'].map((text) => ({ kind: 'text', text })))
  })

  test('accepts messages without a type, and texts and refusals of the assistant', () => {
    const content = [
      { type: 'output_text', text: 'yes', annotations: [] },
      { type: 'refusal', refusal: 'but no' },
    ]
    expect(turnsOf({ role: 'assistant', content })).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: 'yes' },
          { kind: 'refusal', text: 'but no' },
        ],
      },
    ])
  })

  const parts: Record<string, [object, object]> = {
    'an image by address': [
      { type: 'input_image', image_url: 'https://e.example/a.png', detail: 'low' },
      { kind: 'image', media: { url: 'https://e.example/a.png' }, detail: 'low' },
    ],
    'an image in original detail, as high': [
      { type: 'input_image', image_url: 'https://e.example/a.png', detail: 'original' },
      { kind: 'image', media: { url: 'https://e.example/a.png' }, detail: 'high' },
    ],
    'an image in itself': [
      { type: 'input_image', image_url: 'data:image/jpg;base64,AAAA' },
      { kind: 'image', media: { data: 'AAAA', mime: 'image/jpeg' } },
    ],
    'a file in itself': [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
      { kind: 'file', name: 'a.pdf', media: { data: 'AAAA', mime: 'application/pdf' } },
    ],
    'a file by address': [
      { type: 'input_file', file_url: 'https://e.example/a.pdf' },
      { kind: 'file', media: { url: 'https://e.example/a.pdf' } },
    ],
    'a file by id': [
      { type: 'input_file', file_id: 'file-1' },
      { kind: 'file', media: { id: 'file-1' } },
    ],
    audio: [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { kind: 'audio', data: 'AAAA', format: 'mp3' },
    ],
    'a part of some vendor': [
      { type: 'input_video', video_url: 'x' },
      { kind: 'other', part: { type: 'input_video', video_url: 'x' } },
    ],
  }
  test.each(Object.entries(parts))('has %s', (_name, [part, expected]) => {
    expect(turnsOf({ role: 'user', content: [part] })[0]?.parts).toEqual([expected])
  })

  test('merges reasoning, text and following calls into one turn', () => {
    const turns = turnsOf(
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      call('c1'),
      call('c2', 'find'),
      output('c1', 'A'),
      output('c2', 'B'),
    )
    expect(turns).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'hm' },
          { kind: 'text', text: 'I look.' },
          callPart('c1'),
          callPart('c2', 'find'),
        ],
      },
      { role: 'user', parts: [result('c1', 'A'), result('c2', 'B')] },
    ])
  })

  test('keeps two assistant messages separate', () => {
    const say = (text: string) => ({ role: 'assistant', content: text })
    expect(turnsOf(say('one'), say('two'))).toHaveLength(2)
  })

  test('matches results to calls by call_id, never by the item id', () => {
    const turns = turnsOf({ ...call('call_1'), id: 'fc_1' }, output('call_1', 'A'))
    expect(turns[0]?.parts).toEqual([callPart('call_1')])
    expect(turns[1]?.parts).toEqual([result('call_1', 'A')])
  })

  test('has results directly after their calls, despite items between them', () => {
    const turns = turnsOf(
      call('c1'),
      call('c2'),
      { role: 'user', content: 'and?' },
      output('c2', 'B'),
      output('c1', 'A'),
    )
    expect(turns.map(({ parts }) => parts)).toEqual([
      [callPart('c1'), callPart('c2')],
      [result('c2', 'B'), result('c1', 'A')],
      [{ kind: 'text', text: 'and?' }],
    ])
  })

  test('keeps the texts and images of a result', () => {
    const parts = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'https://e.example/a.png' },
    ]
    expect(turnsOf(call('c1'), output('c1', parts))[1]?.parts).toEqual([
      {
        kind: 'result',
        callId: 'c1',
        parts: [
          { kind: 'text', text: 'see' },
          { kind: 'image', media: { url: 'https://e.example/a.png' } },
        ],
      },
    ])
  })

  test('has calls of custom tools with their raw input', () => {
    const turns = turnsOf(
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'shell', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'a b' },
    )
    expect(turns[0]?.parts).toEqual([{ kind: 'call', id: 'c1', name: 'shell', arguments: 'ls', custom: true }])
    expect(turns[1]?.parts).toEqual([result('c1', 'a b')])
  })

  test('omits calls of tools that run only at OpenAI', () => {
    const turns = turnsOf(
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { role: 'user', content: 'hello' },
    )
    expect(turns).toEqual([user('hello')])
  })

  test('uses raw reasoning if present, and drops empty reasoning', () => {
    const raw = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] }
    expect(turnsOf(raw)[0]?.parts).toEqual([{ kind: 'reasoning', text: 'raw' }])
    expect(turnsOf({ type: 'reasoning', summary: [], encrypted_content: 'gAAAAAB' })).toEqual([])
  })
})

describe('signatures', () => {
  const summary = [{ type: 'summary_text', text: 'hm' }]

  test('return to the reasoning they sign', () => {
    const item = { type: 'reasoning', summary, encrypted_content: encodeSignatures({ signature: 'c2ln' }) }
    expect(turnsOf(item)[0]?.parts).toEqual([{ kind: 'reasoning', text: 'hm', signature: 'c2ln' }])
  })

  test('return as a whole encrypted reasoning item', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: encodeSignatures({ redacted: 'c2Vj' }) }
    expect(turnsOf(item)[0]?.parts).toEqual([{ kind: 'reasoning', text: '', redacted: 'c2Vj' }])
  })

  test('return to the calls they sign', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: encodeSignatures({ calls: { c1: 'c2ln' } }) }
    expect(turnsOf(item, call('c1'), call('c2'))[0]?.parts).toEqual([
      { ...callPart('c1'), signature: 'c2ln' },
      callPart('c2'),
    ])
  })

  test.each([
    'gAAAAABmZm9yZWlnbg==',
    Buffer.from('{"tollgate":2,"signature":"x"}').toString('base64'),
    Buffer.from('{"signature":"x"}').toString('base64'),
  ])('of others are ignored: %s', (encrypted_content) => {
    expect(turnsOf({ type: 'reasoning', summary, encrypted_content })[0]?.parts).toEqual([
      { kind: 'reasoning', text: 'hm' },
    ])
  })
})

describe('fields', () => {
  const cases: Record<string, [Body, object]> = {
    max_output_tokens: [{ max_output_tokens: 5 }, { maxTokens: 5 }],
    'a temperature of 0': [
      { temperature: 0, top_p: 0 },
      { temperature: 0, topP: 0 },
    ],
    effort: [{ reasoning: { effort: 'low' } }, { reasoning: { effort: 'low' } }],
    'the wish for a summary': [{ reasoning: { summary: 'auto' } }, { reasoning: { visible: true } }],
    'text.format json_object': [{ text: { format: { type: 'json_object' } } }, { format: { kind: 'json' } }],
    'text.format json_schema': [
      {
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true, description: 'd' },
        },
      },
      { format: { kind: 'schema', name: 'n', schema: { type: 'object' }, strict: true, description: 'd' } },
    ],
    'text.verbosity': [{ text: { verbosity: 'low' } }, { verbosity: 'low' }],
    parallel_tool_calls: [{ parallel_tool_calls: false }, { parallelCalls: false }],
    'user, metadata and service_tier': [
      { user: 'u', metadata: { a: 'b' }, service_tier: 'flex' },
      { user: 'u', metadata: { a: 'b' }, serviceTier: 'flex' },
    ],
    'top_logprobs, which mean logprobs': [{ top_logprobs: 2 }, { logprobs: true, topLogprobs: 2 }],
    'logprobs by include': [{ include: ['message.output_text.logprobs'] }, { logprobs: true }],
    'fields without a counterpart': [
      { prompt_cache_key: 'k', safety_identifier: 's', enable_thinking: true },
      { extras: { prompt_cache_key: 'k', safety_identifier: 's', enable_thinking: true } },
    ],
  }
  test.each(Object.entries(cases))('are parsed: %s', (_name, [body, expected]) => {
    expect(parse(body)).toMatchObject(expected)
  })

  test('only for OpenAI are dropped', () => {
    const body = {
      truncation: 'auto',
      include: ['reasoning.encrypted_content'],
      background: false,
      store: false,
      max_tool_calls: 3,
      stream: true,
      stream_options: { include_obfuscation: false },
      context_management: [],
    }
    expect(parse(body)).toEqual({ turns: [user('hello')], tools: [], extras: {} })
  })

  test('text.format text equals none', () => {
    expect(parse({ text: { format: { type: 'text' } } }).format).toBeUndefined()
  })
})

describe('tools', () => {
  test('are functions, flat or nested', () => {
    const declaration = { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }
    expect(parse({ tools: [{ type: 'function', ...declaration }] }).tools).toEqual([declaration])
    expect(parse({ tools: [{ type: 'function', function: declaration }] }).tools).toEqual([declaration])
  })

  test('may accept free text, with a grammar', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    expect(parse({ tools: [{ type: 'custom', name: 'c', format }] }).tools).toEqual([
      { name: 'c', custom: { format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } } } },
    ])
  })

  test.each(['web_search', 'web_search_preview', 'web_search_2025_08_26'])('%s enables web search', (type) => {
    const user_location = { type: 'approximate', city: 'Oslo' }
    const { tools, webSearch } = parse({ tools: [{ type, search_context_size: 'low', user_location }] })
    expect(tools).toEqual([])
    expect(webSearch).toEqual({
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { city: 'Oslo' } },
    })
  })

  test.each(['file_search', 'code_interpreter', 'computer_use_preview', 'mcp', 'image_generation', 'tool_search'])(
    '%s is dropped by its name, and rejected if it is required',
    (type) => {
      const tools = [{ type: 'function', name: 'f' }, { type }]
      const { tools: kept, omitted } = parse({ tools, tool_choice: 'required' })
      expect(kept).toEqual([{ name: 'f' }])
      expect(omitted).toEqual([`tools[1].${type}`])
      expect(reasonOf({ tools, tool_choice: { type } })).toMatchObject({ reason: expect.stringContaining(type) })
      expect(reasonOf({ tools: [{ type }], tool_choice: 'required' })).toMatchObject({
        reason: expect.stringContaining(`tools[0].${type}`),
      })
    },
  )

  test('that are listed twice are sent once', () => {
    const tools = [
      { type: 'function', name: 'f' },
      { type: 'custom', name: 'f' },
      { type: 'local_shell' },
      { type: 'local_shell' },
    ]
    const { tools: kept, omitted } = parse({ tools })
    expect(kept?.map(({ name }) => name)).toEqual(['f', 'local_shell'])
    expect(omitted).toEqual(['tools[1].custom', 'tools[3].local_shell'])
  })

  test('in namespaces get qualified names, also in calls and choices', () => {
    const look = { type: 'function', name: 'look', parameters: { type: 'object' } }
    const tools = [
      { type: 'namespace', name: 'a', tools: [look, { type: 'custom', name: 'patch' }] },
      { type: 'namespace', name: 'b__', tools: [look] },
      { type: 'function', name: 'look' },
      // Takes the name that the first one would have.
      { type: 'function', name: 'a__look' },
    ]
    const input = [{ ...call('c1'), namespace: 'a' }, { ...call('c2'), namespace: 'b__' }, call('c3')]
    const parsed = parse({ tools, input, tool_choice: { type: 'function', name: 'look', namespace: 'b__' } })
    const names = parsed.tools.map(({ name }) => name)
    expect(names).toEqual([expect.stringMatching(/^a__look_[0-9a-f]{8}$/), 'a__patch', 'b__look', 'look', 'a__look'])
    expect(parsed.tools[1]).toMatchObject({ custom: {} })
    expect(parsed.turns.flatMap(({ parts }) => parts.map((part) => part.kind === 'call' && part.name))).toEqual([
      names[0],
      'b__look',
      'look',
    ])
    expect(parsed.toolChoice).toEqual({ mode: 'required', names: ['b__look'] })
    expect(parse({ tools }).tools).toEqual(parsed.tools)
  })

  test('in namespaces with long or foreign names get names valid in every format', () => {
    const tools = ['é'.repeat(80), `${'é'.repeat(79)}à`].map((name) => ({
      type: 'namespace',
      name,
      tools: [{ type: 'function', name: 'look' }],
    }))
    const names = parse({ tools }).tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/)
  })

  test('include the local shell as a function, with its calls and results', () => {
    const action = { type: 'exec', command: ['ls'], env: {} }
    const { tools, turns } = parse({
      tools: [{ type: 'local_shell' }],
      input: [
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'c1', status: 'completed', action },
        { type: 'local_shell_call_output', id: 'lsh_1', output: 'a.txt' },
      ],
    })
    expect(tools).toMatchObject([{ name: 'local_shell', parameters: { required: ['command'] } }])
    expect(turns).toEqual([
      {
        role: 'assistant',
        parts: [{ kind: 'call', id: 'c1', name: 'local_shell', arguments: '{"command":["ls"],"env":{}}' }],
      },
      { role: 'user', parts: [result('c1', 'a.txt')] },
    ])
  })

  const choices: [unknown, object | undefined][] = [
    ['auto', { mode: 'auto' }],
    ['none', { mode: 'none' }],
    ['required', { mode: 'required' }],
    [
      { type: 'function', name: 'f' },
      { mode: 'required', names: ['f'] },
    ],
    [
      { type: 'custom', name: 'c' },
      { mode: 'required', names: ['c'] },
    ],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'custom', name: 'c' },
        ],
      },
      { mode: 'required', names: ['f', 'c'] },
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
      { mode: 'auto', names: ['f'] },
    ],
    [undefined, undefined],
  ]
  test.each(choices)('are chosen by %j', (tool_choice, expected) => {
    expect(parse({ tool_choice }).toolChoice).toEqual(expected)
  })
})

describe('unsupported input is rejected', () => {
  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['item_reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ])('%s, with the documented code', (param, body) => {
    expect(reasonOf(body)).toMatchObject({
      reason: expect.stringContaining('send the whole conversation as input'),
      code: 'previous_response_not_found',
      param,
    })
  })

  const refusals: Record<string, Body> = {
    'prompt refers': { prompt: { id: 'pmpt_1' } },
    'input[0] must be': { input: ['hello'] },
    'input[0].role is "robot"': { input: [{ role: 'robot', content: 'x' }] },
    'input[0].role must be user, assistant, system or developer': {
      input: [{ type: 'message', role: {}, content: 'x' }],
    },
    'input[0].content[1] must be': { input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }, 'b'] }] },
    'input[0].content[0] needs image_url': {
      input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }],
    },
    'input[0].type "wish" is not': { input: [{ type: 'wish' }] },
    'input[0] is a compacted': { input: [{ type: 'compaction', encrypted_content: 'x' }] },
  }
  test.each(Object.entries(refusals))('%s …', (words, body) => {
    expect(reasonOf(body)).toMatchObject({ reason: expect.stringContaining(words) })
  })
})
