import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { messagesBody } from '../../../../../server/relay/providers/anthropic/messages-body.ts'

const text = (content: string): Part => ({ kind: 'text', text: content })
const user = (...parts: (string | Part)[]): Turn => turn('user', parts)
const assistant = (...parts: (string | Part)[]): Turn => turn('assistant', parts)
const system = (...parts: (string | Part)[]): Turn => turn('system', parts)
const call = (id: string, args = '{}', name = 'look'): Part => ({ kind: 'call', id, name, arguments: args })
const result = (callId: string, content = 'seen'): Part => ({ kind: 'result', callId, parts: [text(content)] })

function turn(role: Turn['role'], parts: (string | Part)[]): Turn {
  return { role, parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)) }
}

function bodyOf(fields: Partial<Conversation>, model = 'claude-3-5-sonnet-20241022') {
  return messagesBody({ turns: [user('Hi')], tools: [], extras: {}, ...fields }, { model, images: 'url' })
}

function messagesFor(...turns: Turn[]) {
  return bodyOf({ turns }).messages as { role: string; content: Record<string, unknown>[] }[]
}

const TOOL = { name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } }

describe('fields', () => {
  test.each<[string, Partial<Conversation>, object]>([
    ['a limit is required, so one is sent', {}, { max_tokens: 4096 }],
    ["the client's limit goes on", { maxTokens: 7 }, { max_tokens: 7 }],
    ['a temperature of 0 is said', { temperature: 0 }, { temperature: 0 }],
    ['a temperature above 1 is clamped', { temperature: 1.7 }, { temperature: 1 }],
    ['a top_p of 0 and a top_k of 0 are said', { topP: 0, topK: 0 }, { top_p: 0, top_k: 0 }],
    ['blank stop sequences are left out', { stop: ['\n', 'END', ' '] }, { stop_sequences: ['END'] }],
    ['the user is metadata', { user: 'u-1' }, { metadata: { user_id: 'u-1' } }],
    ['default service is the standard tier', { serviceTier: 'default' }, { service_tier: 'standard_only' }],
    ['any other service is any tier', { serviceTier: 'flex' }, { service_tier: 'auto' }],
  ])('%s', (_, fields, sent) => {
    expect(bodyOf(fields)).toMatchObject(sent)
  })

  test('unknown to Claude are dropped', () => {
    const body = bodyOf({
      seed: 0,
      presencePenalty: 1,
      frequencyPenalty: 1,
      metadata: { a: '1' },
      stop: [' '],
      extras: { store: true, logit_bias: {} },
    })
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages'])
  })

  test.each([
    ['n', { choices: 2 }],
    ['generationConfig.candidateCount', { choices: 2, client: 'gemini' as const }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { logprobs: true, client: 'openai-responses' as const }],
    ['modalities', { modalities: ['text', 'audio'] }],
  ])("that would change the reply are rejected by the client's field: %s", (field, conversation) => {
    expect(() => bodyOf(conversation)).toThrow(
      expect.objectContaining({ params: { reason: expect.stringMatching(new RegExp(`^${field} `)), param: field } }),
    )
  })

  test('replace a user longer than 256 characters by a digest, always the same', () => {
    const ids = [1, 2].map(() => (bodyOf({ user: 'u'.repeat(257) }).metadata as { user_id: string }).user_id)
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(ids[0]).toBe(ids[1])
  })

  test('exclude model and stream, which are elsewhere on some clouds', () => {
    expect(bodyOf({})).not.toHaveProperty('model')
    expect(bodyOf({})).not.toHaveProperty('stream')
  })
})

describe('system instructions', () => {
  test('become the system prompt if they lead, in order', () => {
    expect(bodyOf({ turns: [system('One', 'Two'), system(''), system('Three'), user('Hi')] })).toMatchObject({
      system: 'One\n\nTwo\n\nThree',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    })
  })

  test('become blocks if one of them marks the cache', () => {
    const cache = { type: 'ephemeral', ttl: '1h' }
    const turns = [system('One', { kind: 'text', text: 'Two', cache }), user('Hi')]
    expect(bodyOf({ turns }).system).toEqual([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two', cache_control: cache },
    ])
  })

  test("that are later are marked user messages, never the assistant's", () => {
    expect(messagesFor(user('Hi'), assistant('Hello'), system('Be brief'), user('Go on'))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system>\nBe brief\n</system>' },
          { type: 'text', text: 'Go on' },
        ],
      },
    ])
  })
})

describe('turns', () => {
  test('of one role in sequence are one turn', () => {
    expect(messagesFor(user('a'), user('b'), assistant('c'), assistant('d'), user('e'))).toMatchObject([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ text: 'c' }, { text: 'd' }] },
      { role: 'user', content: [{ text: 'e' }] },
    ])
  })

  test('get a user message before a leading assistant', () => {
    expect(messagesFor(assistant('Hello'), user('Hi'))[0]).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '...' }],
    })
  })

  test('of instructions only still include a user message', () => {
    expect(bodyOf({ turns: [system('Be kind')] })).toMatchObject({ system: 'Be kind', messages: [{ role: 'user' }] })
  })

  test.each([[''], [' \n']])('a user message %j is shown as empty, not as a space', (content) => {
    expect(messagesFor(user(content))).toEqual([{ role: 'user', content: [{ type: 'text', text: '(empty)' }] }])
  })

  test('an empty assistant message is dropped, and its neighbors are merged', () => {
    expect(messagesFor(user('a'), assistant(' '), user('b'))).toMatchObject([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
    ])
  })

  test('blank texts beside a call, and empty ones beside a text, are dropped, but white space there stays', () => {
    const [, spoke] = messagesFor(user('a'), assistant('', ' ', call('c1')), user(result('c1')))
    expect(spoke?.content.map(({ type }) => type)).toEqual(['tool_use'])
    expect(messagesFor(user('a', '', '\n', 'b'))[0]?.content).toMatchObject([
      { text: 'a' },
      { text: '\n' },
      { text: 'b' },
    ])
  })

  test('the prefix of a reply does not end in white space', () => {
    expect(messagesFor(user('a'), assistant('So: \n')).at(-1)).toMatchObject({ content: [{ text: 'So:' }] })
  })

  test('a refusal is an assistant text', () => {
    expect(messagesFor(user('a'), assistant({ kind: 'refusal', text: 'No.' }), user('b'))[1]).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
    })
  })
})

describe('calls and results', () => {
  test.each([
    ['{"at":"Oslo"}', { at: 'Oslo' }],
    ['', {}],
    ['{"at":"Os', { arguments: '{"at":"Os' }],
  ])('arguments %j are the input %j', (args, input) => {
    expect(messagesFor(user('a'), assistant(call('c1', args)), user(result('c1')))[1]?.content).toEqual([
      { type: 'tool_use', id: 'c1', name: 'look', input },
    ])
  })

  test('all results of one turn are in one user turn, before all other content', () => {
    const messages = messagesFor(
      user('a'),
      assistant('Looking', call('c1'), call('c2'), 'and waiting'),
      user(result('c2', 'two')),
      user('Wait', result('c1', 'one')),
    )
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking' },
          { type: 'tool_use', id: 'c1', name: 'look', input: {} },
          { type: 'tool_use', id: 'c2', name: 'look', input: {} },
          { type: 'text', text: 'and waiting' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'two' },
          { type: 'text', text: 'Wait' },
        ],
      },
    ])
  })

  test('a missing result is an error, and a result without a call is text', () => {
    const messages = messagesFor(user('a'), assistant(call('c1')), user(result('c9', 'lost'), 'Go on'))
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', content: '(no result)', is_error: true },
      { type: 'text', text: 'lost' },
      { type: 'text', text: 'Go on' },
    ])
  })

  test('results keep their images, errors and cache marks; an empty one is an empty text', () => {
    const cache = { type: 'ephemeral' }
    const png = { data: 'iVBORw0KGgoAAA', mime: 'image/png' }
    const messages = messagesFor(
      user('a'),
      assistant(call('c1'), call('c2')),
      user(
        { kind: 'result', callId: 'c1', parts: [text('x'), { kind: 'image', media: png }], isError: true, cache },
        { kind: 'result', callId: 'c2', parts: [text('')] },
      ),
    )
    expect(messages[2]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAA' } },
        ],
        is_error: true,
        cache_control: cache,
      },
      { type: 'tool_result', tool_use_id: 'c2', content: '' },
    ])
  })

  test('ids with letters that Claude rejects are mapped, the same for a call and its result, and never to the same', () => {
    const messages = messagesFor(
      user('a'),
      assistant(call('a.1'), call('a:1')),
      user(result('a:1', 'colon'), result('a.1', 'dot')),
    )
    const ids = messages[1]?.content.map(({ id }) => id) as string[]
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: ids[0], content: 'dot' },
      { tool_use_id: ids[1], content: 'colon' },
    ])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  })
})

describe('reasoning in the history', () => {
  const signed: Part = { kind: 'reasoning', text: 'Hm', signature: 'c2ln' }

  test('is sent back signed, hidden or shown, in its place', () => {
    const hidden: Part = { kind: 'reasoning', text: '', redacted: 'ZGF0YQ' }
    const messages = messagesFor(
      user('a'),
      assistant(signed, hidden, call('c1'), signed, call('c2')),
      user(result('c1')),
    )
    expect(messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'ZGF0YQ' },
      { type: 'tool_use', id: 'c1' },
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'tool_use', id: 'c2' },
    ])
  })

  test.each<[string, Part]>([
    ['without a signature', { kind: 'reasoning', text: 'Hm' }],
    ['with an empty one', { kind: 'reasoning', text: 'Hm', signature: '' }],
    ["with OpenAI's", { kind: 'reasoning', text: '', redacted: 'gAAAAABo1234' }],
    ["with Gemini's stand-in", { kind: 'reasoning', text: 'Hm', signature: 'skip_thought_signature_validator' }],
  ])('is dropped %s', (_, thought) => {
    expect(messagesFor(user('a'), assistant(thought, 'b'), user('c'))[1]?.content).toMatchObject([{ text: 'b' }])
  })

  test.each([
    ['claude-sonnet-4-5', undefined],
    ['claude-opus-4-6', { type: 'disabled' }],
  ])('if a turn with calls has none, %s does not think', (model, thinking) => {
    const turns = [user('a'), assistant({ kind: 'reasoning', text: 'Hm' }, call('c1')), user(result('c1'))]
    const body = bodyOf({ turns, reasoning: { effort: 'high' }, temperature: 0.5, tools: [TOOL] }, model)
    expect(body.thinking).toEqual(thinking)
    expect(body.temperature).toBe(0.5)
    expect(body).not.toHaveProperty('output_config')
  })

  test('if every turn with calls has some, thinking stays enabled', () => {
    const turns = [user('a'), assistant(signed, call('c1')), user(result('c1'))]
    expect(bodyOf({ turns, reasoning: { effort: 'high' } }, 'claude-sonnet-4-5').thinking).toBeDefined()
  })
})

describe('tools', () => {
  test('of another vendor are rejected', () => {
    const tools = [{ name: 'search', vendor: { dialect: 'openai-chat', tool: { type: 'search' } } }]
    expect(() => bodyOf({ tools })).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED' }))
  })

  test('have an object schema, even if the client sent none', () => {
    const tools = [
      { ...TOOL, description: 'Looks', strict: true, cache: { type: 'ephemeral' } },
      { name: 'none' },
      { name: 'bare', parameters: { properties: { a: {} } } },
      {
        name: 'computer',
        vendor: { dialect: 'anthropic-messages', tool: { type: 'computer_20250124', name: 'computer' } },
      },
    ]
    expect(bodyOf({ tools }).tools).toEqual([
      {
        name: 'look',
        description: 'Looks',
        input_schema: TOOL.parameters,
        cache_control: { type: 'ephemeral' },
      },
      { name: 'none', input_schema: { type: 'object', properties: {} } },
      { name: 'bare', input_schema: { type: 'object', properties: { a: {} } } },
      { type: 'computer_20250124', name: 'computer' },
    ])
  })

  test('are strict only where the upstream and the model enforce schemas', () => {
    const strict = { ...TOOL, strict: true }
    const toolsFor = (model: string, tools: Conversation['tools'], enforcesSchemas = true) =>
      messagesBody({ turns: [user('Hi')], tools, extras: {} }, { model, enforcesSchemas }).tools as object[]
    expect(toolsFor('claude-sonnet-4-5', [strict])).toEqual([
      { name: 'look', input_schema: { ...TOOL.parameters, additionalProperties: false }, strict: true },
    ])
    const plain = { name: 'look', input_schema: TOOL.parameters }
    expect(toolsFor('claude-sonnet-4-5', [strict], false)).toEqual([plain])
    expect(toolsFor('claude-sonnet-4-0', [strict])).toEqual([plain])
    expect(toolsFor('claude-sonnet-4-5', [{ ...TOOL, strict: false }])).toEqual([plain])
    const byReference = { name: 'look', strict: true, parameters: { $ref: '#/$defs/a', $defs: { a: TOOL.parameters } } }
    expect(toolsFor('claude-sonnet-4-5', [byReference])).toEqual([
      { name: 'look', input_schema: { ...byReference.parameters, type: 'object' } },
    ])
    const many = Array.from({ length: 21 }, (_, at) => ({ ...strict, name: `look${at}` }))
    expect(JSON.stringify(toolsFor('claude-sonnet-4-5', many))).not.toContain('strict')
  })

  test.each<[Partial<Conversation>, unknown]>([
    [{}, undefined],
    [{ toolChoice: { mode: 'auto' } }, { type: 'auto' }],
    [{ toolChoice: { mode: 'none' }, parallelCalls: false }, { type: 'none' }],
    [{ toolChoice: { mode: 'required' } }, { type: 'any' }],
    [{ toolChoice: { mode: 'required', names: ['look'] } }, { type: 'tool', name: 'look' }],
    [{ toolChoice: { mode: 'required', names: ['look', 'hear'] } }, { type: 'any' }],
    [{ parallelCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [
      { toolChoice: { mode: 'required' }, parallelCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [{ parallelCalls: true }, undefined],
  ])('choice %j is %j', (fields, choice) => {
    const body = bodyOf({ tools: [TOOL, { name: 'hear' }, { name: 'smell' }], ...fields })
    expect(body.tool_choice).toEqual(choice)
  })

  test('only callable ones are offered', () => {
    const tools = [TOOL, { name: 'hear' }]
    const body = bodyOf({ tools, toolChoice: { mode: 'auto', names: ['hear'] } })
    expect(body.tools).toMatchObject([{ name: 'hear' }])
    expect(body.tool_choice).toEqual({ type: 'auto' })
  })

  test('a choice without tools is dropped', () => {
    const body = bodyOf({ toolChoice: { mode: 'required' }, parallelCalls: false })
    expect(body).not.toHaveProperty('tool_choice')
  })

  test('called in the history are declared if the request has none, but not callable', () => {
    const body = bodyOf({ turns: [user('a'), assistant(call('c1')), user(result('c1'))] })
    expect(body.tools).toEqual([{ name: 'look', input_schema: { type: 'object', properties: {} } }])
    expect(body.tool_choice).toEqual({ type: 'none' })
  })

  test('free text is the one argument of a custom tool, in its schema and in its calls', () => {
    const body = bodyOf({
      turns: [user('a'), assistant({ kind: 'call', id: 'c1', name: 'patch', arguments: '*** a', custom: true })],
      tools: [{ name: 'patch', description: 'Patches', custom: { format: { definition: 'start: /a/' } } }],
    })
    expect(body.tools).toMatchObject([
      { name: 'patch', input_schema: { properties: { input: { type: 'string' } }, required: ['input'] } },
    ])
    expect(JSON.stringify(body.tools)).toContain('start: /a/')
    expect(JSON.stringify(body.messages)).toContain('{"input":"*** a"}')
  })

  test("a web search is Claude's own", () => {
    const webSearch = {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { city: 'Oslo', country: 'NO' } },
    }
    expect(bodyOf({ webSearch }).tools).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 1,
        user_location: { type: 'approximate', city: 'Oslo', country: 'NO' },
      },
    ])
  })
})

describe('the format of the reply', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
  const format = { kind: 'schema', name: 'answer', schema, description: 'An answer' } as const

  test('is enforced by a schema for newer models', () => {
    expect(bodyOf({ format }, 'claude-sonnet-4-5')).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
    })
  })

  test('has closed objects for newer models, which reject open ones', () => {
    const open = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] }
    expect(bodyOf({ format: { ...format, schema: open } }, 'claude-sonnet-4-5').output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'integer', description: '{"minimum":1}' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
    })
  })

  test('is requested in words if a newer model cannot enforce the schema', () => {
    const map = { type: 'object', additionalProperties: { type: 'string' } }
    const body = bodyOf({ format: { ...format, schema: map } }, 'claude-sonnet-4-5')
    expect(body.system).toContain(JSON.stringify(map))
    expect(body).not.toHaveProperty('output_config')
  })

  test('is requested in words for older ones, after all other instructions', () => {
    const { system: asked, output_config } = bodyOf({ format, turns: [system('Be kind'), user('Hi')] })
    expect(asked).toMatch(/^Be kind\n\nAnswer with one JSON object/)
    expect(asked).toContain(JSON.stringify(schema))
    expect(output_config).toBeUndefined()
  })

  test('is requested in words for any JSON', () => {
    expect(bodyOf({ format: { kind: 'json' } }, 'claude-opus-5').system).toMatch(/JSON object/)
  })
})

test('of more than four cache marks the last four are kept', () => {
  const cache = { type: 'ephemeral' }
  const marked = (content: string): Part => ({ kind: 'text', text: content, cache })
  const body = bodyOf({
    tools: [{ ...TOOL, cache }],
    turns: [system(marked('s')), user(marked('1'), marked('2')), assistant('b'), user(marked('3'), marked('4'))],
  })
  expect(JSON.stringify(body.tools)).not.toContain('cache_control')
  expect(JSON.stringify(body.system)).not.toContain('cache_control')
  expect(JSON.stringify(body.messages).match(/cache_control/g)).toHaveLength(4)
})
