import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { responsesBody } from '../../../../../server/relay/providers/openai/responses-body.ts'
import { encodeReasoning } from '../../../../../server/relay/providers/openai/responses-reasoning.ts'

const text = (words: string): Part => ({ kind: 'text', text: words })
const turn = (role: Turn['role'], ...parts: Part[]): Turn => ({ role, parts })
const HELLO = turn('user', text('hello'))

const bodyOf = (fields: Partial<Conversation> = {}, options: { stream?: boolean; withoutSampling?: boolean } = {}) =>
  responsesBody({ turns: [HELLO], tools: [], extras: {}, ...fields }, { model: 'up', stream: false, ...options })
const inputOf = (...turns: Turn[]) => bodyOf({ turns }).input

describe('a request', () => {
  test('stores nothing at the upstream, and requests encrypted reasoning', () => {
    expect(bodyOf()).toEqual({
      model: 'up',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: false,
    })
    expect(bodyOf({}, { stream: true }).stream).toBe(true)
  })

  const fields: Record<string, [Partial<Conversation>, object]> = {
    'max_output_tokens, of which 16 is the least': [{ maxTokens: 3 }, { max_output_tokens: 16 }],
    'a larger limit as it is': [{ maxTokens: 300 }, { max_output_tokens: 300 }],
    zeros: [
      { temperature: 0, topP: 0 },
      { temperature: 0, top_p: 0 },
    ],
    effort: [{ reasoning: { effort: 'low' } }, { reasoning: { effort: 'low' } }],
    'a budget as an effort': [{ reasoning: { budget: 20_000 } }, { reasoning: { effort: 'high' } }],
    'visible thoughts as a summary': [{ reasoning: { visible: true } }, { reasoning: { summary: 'auto' } }],
    json: [{ format: { kind: 'json' } }, { text: { format: { type: 'json_object' } } }],
    'a schema, flat': [
      { format: { kind: 'schema', name: 'n', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
      {
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
          verbosity: 'low',
        },
      },
    ],
    'log probabilities': [
      { logprobs: true, topLogprobs: 3 },
      { include: ['reasoning.encrypted_content', 'message.output_text.logprobs'], top_logprobs: 3 },
    ],
    'user, metadata and tier': [
      { user: 'u', metadata: { a: 'b' }, serviceTier: 'flex' },
      { user: 'u', metadata: { a: 'b' }, service_tier: 'flex' },
    ],
    'fields that it has too': [{ extras: { prompt_cache_key: 'k' } }, { prompt_cache_key: 'k' }],
  }
  test.each(Object.entries(fields))('has %s', (_name, [conversation, expected]) => {
    expect(bodyOf(conversation)).toMatchObject(expected)
  })

  test('drops unsupported fields', () => {
    const body = bodyOf({
      seed: 0,
      topK: 3,
      presencePenalty: 1,
      frequencyPenalty: 1,
      extras: { logit_bias: {}, store: true, random_seed: 1, safe_prompt: true },
    })
    expect(body).toEqual(bodyOf())
  })

  test('drops sampling for models that reject it', () => {
    const body = bodyOf({ temperature: 1, topP: 1 }, { withoutSampling: true })
    expect(body).toEqual(bodyOf())
    expect(() => bodyOf({ logprobs: true }, { withoutSampling: true })).toThrow('logprobs is not supported')
  })

  test.each([
    ['n must be 1', { choices: 2 }],
    ['modalities has "audio"', { modalities: ['text', 'audio'] }],
    ['the tool "builtin"', { tools: [{ name: 'builtin', vendor: { dialect: 'openai-chat', tool: {} } }] }],
    ['a content part of type "video_url"', { turns: [turn('user', { kind: 'other', part: { type: 'video_url' } })] }],
  ])('is rejected if the format does not support it: %s', (words, fields: Partial<Conversation>) => {
    expect(() => bodyOf(fields)).toThrow(words)
  })
})

describe('turns', () => {
  test('of instructions at the start are instructions, later ones developer messages', () => {
    const turns = [turn('system', text('one')), turn('system', text('two')), HELLO, turn('system', text('three'))]
    const { instructions, input } = bodyOf({ turns })
    expect(instructions).toBe('one\n\ntwo')
    expect(input).toMatchObject([{ role: 'user' }, { role: 'developer', content: [{ text: 'three' }] }])
  })

  test('of only instructions are input', () => {
    const body = bodyOf({ turns: [turn('system', text('one'))] })
    expect(body).not.toHaveProperty('instructions')
    expect(body.input).toMatchObject([{ role: 'developer', content: [{ type: 'input_text', text: 'one' }] }])
  })

  test('of the assistant are text, refusals, calls and results by their call ids', () => {
    const input = inputOf(
      turn(
        'assistant',
        text('I look.'),
        { kind: 'refusal', text: 'But no.' },
        { kind: 'call', id: 'c1', name: 'look', arguments: '' },
        { kind: 'call', id: 'c2', name: 'shell', arguments: 'ls', custom: true },
        text('There.'),
      ),
      turn(
        'user',
        { kind: 'result', callId: 'c1', parts: [text('A')] },
        { kind: 'result', callId: 'c2', parts: [text('B')] },
        text('and?'),
      ),
    )
    expect(input).toEqual([
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'I look.' },
          { type: 'refusal', refusal: 'But no.' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'ls' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'There.' }] },
      { type: 'function_call_output', call_id: 'c1', output: 'A' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'B' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'and?' }] },
    ])
  })

  test('without a result get one, and results without a call are text', () => {
    const input = inputOf(
      turn('assistant', { kind: 'call', id: 'c1', name: 'look', arguments: '{}' }),
      turn('user', { kind: 'result', callId: 'other', parts: [text('lost')] }),
    )
    expect(input).toMatchObject([
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1' },
      { type: 'message', role: 'user', content: [{ text: 'lost' }] },
    ])
  })

  test("have the same short id for a call and its result if the client's is long", () => {
    const id = 'x'.repeat(80)
    const input = inputOf(
      turn('assistant', { kind: 'call', id, name: 'look', arguments: '{}' }),
      turn('user', { kind: 'result', callId: id, parts: [] }),
    ) as { call_id: string }[]
    expect(input[0]?.call_id.length).toBeLessThanOrEqual(64)
    expect(input[1]?.call_id).toBe(input[0]?.call_id)
  })

  test('have pictures in results', () => {
    const input = inputOf(
      turn('assistant', { kind: 'call', id: 'c1', name: 'look', arguments: '{}' }),
      turn('user', {
        kind: 'result',
        callId: 'c1',
        parts: [text('see'), { kind: 'image', media: { data: 'AAAA', mime: 'image/png' }, detail: 'low' }],
      }),
    )
    expect(input).toMatchObject([
      {},
      {
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
        ],
      },
    ])
  })

  const media: Record<string, [Part, object]> = {
    'pictures by address': [
      { kind: 'image', media: { url: 'https://e.example/a.png' } },
      { type: 'input_image', image_url: 'https://e.example/a.png', detail: 'auto' },
    ],
    files: [
      { kind: 'file', name: 'a.pdf', media: { data: 'AAAA', mime: 'application/pdf' } },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
    ],
    'files by address': [
      { kind: 'file', media: { url: 'https://e.example/a.pdf' } },
      { type: 'input_file', file_url: 'https://e.example/a.pdf' },
    ],
    'files by id': [
      { kind: 'file', media: { id: 'file-1' } },
      { type: 'input_file', file_id: 'file-1' },
    ],
    'files of text': [
      { kind: 'file', name: 'a.txt', media: { text: 'A' } },
      { type: 'input_text', text: 'a.txt\nA' },
    ],
    audio: [
      { kind: 'audio', data: 'AAAA', format: 'mp3' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ],
  }
  test.each(Object.entries(media))('have %s', (_name, [part, expected]) => {
    expect(inputOf(turn('user', part))).toMatchObject([{ content: [expected] }])
  })

  test('return reasoning signed by this upstream, and drop that of others', () => {
    const input = inputOf(
      turn(
        'assistant',
        { kind: 'reasoning', text: 'mine', signature: encodeReasoning('rs_1', 'gAAAAAB') },
        { kind: 'reasoning', text: 'unsigned' },
        { kind: 'reasoning', text: 'foreign', signature: 'c2ln' },
        { kind: 'reasoning', text: '', redacted: 'c2Vj' },
        text('So.'),
      ),
    )
    expect(input).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'mine' }],
        encrypted_content: 'gAAAAAB',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] },
    ])
  })
})

describe('tools', () => {
  const look = { name: 'look', description: 'd', parameters: { type: 'object' } }

  test('are flat, and strict only if the client sets it', () => {
    expect(bodyOf({ tools: [look, { name: 'bare', strict: true }] }).tools).toEqual([
      { type: 'function', ...look, strict: false },
      { type: 'function', name: 'bare', parameters: { type: 'object', properties: {} }, strict: true },
    ])
  })

  test('of free text have their grammar flat', () => {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } }
    expect(bodyOf({ tools: [{ name: 'c', custom: { format } }] }).tools).toEqual([
      { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    ])
  })

  test('include a web search if requested', () => {
    const webSearch = {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { city: 'Oslo' } },
    }
    expect(bodyOf({ webSearch }).tools).toEqual([
      { type: 'web_search', search_context_size: 'low', user_location: { type: 'approximate', city: 'Oslo' } },
    ])
  })

  test('are chosen only if there are any', () => {
    const body = bodyOf({ toolChoice: { mode: 'required' }, parallelCalls: false })
    expect(body).toEqual(bodyOf())
    expect(bodyOf({ tools: [look], parallelCalls: false })).toMatchObject({ parallel_tool_calls: false })
  })

  const choices: [NonNullable<Conversation['toolChoice']>, unknown][] = [
    [{ mode: 'auto' }, 'auto'],
    [{ mode: 'none' }, 'none'],
    [{ mode: 'required' }, 'required'],
    [
      { mode: 'required', names: ['look'] },
      { type: 'function', name: 'look' },
    ],
    [
      { mode: 'required', names: ['free'] },
      { type: 'custom', name: 'free' },
    ],
    [
      { mode: 'auto', names: ['look', 'free'] },
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'free' },
        ],
      },
    ],
  ]
  test.each(choices)('are chosen by %j', (toolChoice, expected) => {
    expect(bodyOf({ tools: [look, { name: 'free', custom: {} }], toolChoice }).tool_choice).toEqual(expected)
  })
})

test('a Responses request reaches a Responses upstream unchanged', () => {
  const body = {
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'The weather?' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'rain' },
    ],
    tools: [
      { type: 'function', name: 'look', parameters: { type: 'object' }, strict: true },
      { type: 'web_search', user_location: { type: 'approximate', city: 'Oslo' } },
    ],
    tool_choice: { type: 'function', name: 'look' },
    parallel_tool_calls: false,
    max_output_tokens: 100,
    temperature: 0,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_object' }, verbosity: 'low' },
    prompt_cache_key: 'k',
  }
  expect(responsesBody(openaiResponses.parse(body), { model: 'up', stream: false })).toMatchObject(body)
})
