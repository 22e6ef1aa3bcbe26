import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { cohereChatBody } from '../../../../../server/relay/providers/cohere/chat-body.ts'

const text = (content: string): Part => ({ kind: 'text', text: content })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const call = (id: string, json = '{}'): Part => ({ kind: 'call', id, name: 'f', arguments: json })
const result = (callId: string, ...parts: Part[]): Part => ({ kind: 'result', callId, parts })

function body(fields: Partial<Conversation> = {}) {
  const conversation = { turns: [user(text('hi'))], tools: [], extras: {}, ...fields }
  return cohereChatBody(conversation, { model: 'command-r', stream: false })
}
const messages = (...turns: Turn[]) => body({ turns }).messages

describe('a conversation with Cohere', () => {
  test('has all content in its fields, zeros too, and no absent ones', () => {
    expect(body()).toEqual({ model: 'command-r', messages: [{ role: 'user', content: 'hi' }], stream: false })
    expect(
      body({
        maxTokens: 5,
        temperature: 0,
        topP: 0,
        topK: 0,
        seed: 0,
        presencePenalty: -1,
        frequencyPenalty: 1.5,
        stop: ['a', ' ', 'b', 'c', 'd', 'e', 'f'],
        extras: { safety_mode: 'NONE', documents: ['d'], citation_options: { mode: 'off' }, enable_thinking: true },
      }),
    ).toEqual({
      model: 'command-r',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
      max_tokens: 5,
      temperature: 0,
      p: 0,
      k: 0,
      seed: 0,
      presence_penalty: 0,
      frequency_penalty: 1,
      stop_sequences: ['a', 'b', 'c', 'd', 'e'],
      safety_mode: 'NONE',
      documents: ['d'],
      citation_options: { mode: 'off' },
    })
  })

  test('keeps every system message in its place', () => {
    const system = (content: string): Turn => ({ role: 'system', parts: [text(content)] })
    expect(messages(system('one'), user(text('a')), system('two'), user(text('b')))).toEqual([
      { role: 'system', content: 'one' },
      { role: 'user', content: 'a' },
      { role: 'system', content: 'two' },
      { role: 'user', content: 'b' },
    ])
  })

  test('has plans, calls and results, and pictures of results in the turn after them', () => {
    const image: Part = { kind: 'image', media: { data: 'AAAA', mime: 'image/png' } }
    expect(
      messages(
        user(text('go')),
        assistant({ kind: 'reasoning', text: 'I will look' }, call('a', '{"x":1}'), call('b', '')),
        user(result('b', text('B'), image), result('a', text('A')), text('and now?')),
        assistant({ kind: 'reasoning', text: 'thought' }, text('done')),
        assistant({ kind: 'reasoning', text: 'nothing said' }),
        user(text('')),
      ),
    ).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        tool_plan: 'I will look',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'and now?' },
        ],
      },
      { role: 'assistant', content: 'done' },
    ])
  })

  test.each<[string, Part]>([
    ['input_audio', { kind: 'audio', data: 'AAAA', format: 'wav' }],
    ['file', { kind: 'file', media: { id: 'file_1' } }],
    ['video_url', { kind: 'other', part: { type: 'video_url' } }],
  ])('rejects a part of type %s by its name', (type, part) => {
    expect(() => messages(user(text('a'), part))).toThrow(type)
  })

  test('rejects several replies, probabilities, and an empty conversation', () => {
    expect(() => body({ choices: 2 })).toThrow('n must be 1')
    expect(() => body({ logprobs: true })).toThrow('logprobs')
    expect(() => messages(user(text('')))).toThrow('messages')
  })

  test.each([
    [{ kind: 'json' }, { type: 'json_object' }],
    [
      { kind: 'schema', name: 'n', schema: { type: 'object' } },
      { type: 'json_object', json_schema: { type: 'object' } },
    ],
  ] as const)('requests the format %j', (format, wire) => {
    expect(body({ format }).response_format).toEqual(wire)
  })

  test.each([
    [{ effort: 'none' }, { type: 'disabled' }],
    [{ budget: 0 }, { type: 'disabled' }],
    [{ effort: 'high' }, { type: 'enabled' }],
    [{ budget: 900 }, { type: 'enabled', token_budget: 900 }],
    [{ budget: -1 }, { type: 'enabled' }],
    [{ visible: true }, undefined],
  ] as const)('sets thinking for %j', (reasoning, wire) => {
    expect(body({ reasoning }).thinking).toEqual(wire)
  })
})

describe('tools for Cohere', () => {
  const tools = [
    { name: 'f', description: 'does f', parameters: { type: 'object', properties: {} }, strict: true },
    { name: 'g' },
  ]

  test.each([
    [undefined, ['f', 'g'], undefined],
    [{ mode: 'auto' }, ['f', 'g'], undefined],
    [{ mode: 'none' }, ['f', 'g'], 'NONE'],
    [{ mode: 'required' }, ['f', 'g'], 'REQUIRED'],
    [{ mode: 'required', names: ['g'] }, ['g'], 'REQUIRED'],
    [{ mode: 'auto', names: ['f'] }, ['f'], undefined],
  ] as const)('the choice %j sends %j and %s', (toolChoice, names, choice) => {
    const wire = body({ tools, ...(toolChoice && { toolChoice }) })
    expect((wire.tools as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual(names)
    expect(wire.tool_choice).toBe(choice)
  })

  test('are dropped with their choice if there are none', () => {
    expect(body({ toolChoice: { mode: 'required' } })).not.toHaveProperty('tool_choice')
  })

  test('are strict if all of them are, and always have a schema', () => {
    expect(body({ tools })).not.toHaveProperty('strict_tools')
    expect(body({ tools: tools.slice(0, 1) })).toMatchObject({
      strict_tools: true,
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'does f', parameters: { type: 'object', properties: {} } },
        },
      ],
    })
    expect(body({ tools: tools.slice(1) }).tools).toEqual([
      { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
    ])
  })

  test('of other vendors are rejected by name', () => {
    const vendor = { dialect: 'anthropic-messages', tool: {} }
    expect(() => body({ tools: [{ name: 'bash', vendor }] })).toThrow('bash')
  })
})
