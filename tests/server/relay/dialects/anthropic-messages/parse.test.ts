import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../../server/relay/conversation/conversation.ts'
import { anthropicMessages } from '../../../../../server/relay/dialects/anthropic-messages/dialect.ts'

const HI = [{ role: 'user', content: 'Hi' }]

function parse(fields: object): Conversation {
  return anthropicMessages.parse({ model: 'm', max_tokens: 5, messages: HI, ...fields })
}

function partsOf(content: unknown, role = 'user') {
  return parse({ messages: [{ role, content }] }).turns[0]?.parts
}

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    const { code, params } = error as { code?: string; params?: { reason: string } }
    expect(code).toBe('REQUEST_MALFORMED')
    return params?.reason ?? ''
  }
  throw new Error('It was not refused')
}

describe('a required field', () => {
  test.each([
    [{ max_tokens: undefined }, 'max_tokens is required'],
    [{ max_tokens: null }, 'max_tokens is required'],
    [{ max_tokens: '5' }, 'max_tokens must be a whole number from 1 to 1073741823'],
    [{ max_tokens: 1e15 }, 'max_tokens must be a whole number from 1 to 1073741823'],
    [{ max_tokens: 0 }, 'max_tokens must be'],
    [{ max_tokens: 1.5 }, 'max_tokens must be'],
    [{ model: undefined }, 'model is required'],
    [{ messages: undefined }, 'messages must be an array'],
    [{ messages: [] }, 'messages must have'],
  ])('%j: %s', (fields, reason) => {
    const body = { model: 'm', max_tokens: 5, messages: HI, ...fields }
    expect(refusal(() => anthropicMessages.check(body))).toContain(reason)
  })

  test('is present in the smallest request', () => {
    expect(() => anthropicMessages.check({ model: 'm', max_tokens: 1, messages: HI })).not.toThrow()
  })
})

describe('an invalid field is named', () => {
  test.each([
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: ['Hi'] }, 'messages[0]'],
    [{ messages: [{ role: 'tool', content: 'a' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: ['a'] }] }, 'messages[0].content[0]'],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
    [{ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] }, 'source'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }, 'tool_use_id'],
    [{ messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] }] }, 'messages[0].content[0]'],
    [{ system: 5 }, 'system'],
    [{ tools: [{ description: 'a' }] }, 'tools[0].name'],
    [{ tool_choice: { type: 'tool' } }, 'tool_choice'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
  ])('%j: %s', (fields, field) => {
    expect(refusal(() => parse(fields))).toContain(field)
  })
})

describe('fields', () => {
  test.each<[object, Partial<Conversation>]>([
    [{}, { maxTokens: 5 }],
    [
      { temperature: 0, top_p: 0, top_k: 0 },
      { temperature: 0, topP: 0, topK: 0 },
    ],
    [{ stop_sequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
    [{ metadata: { user_id: 'u' } }, { user: 'u' }],
    [{ thinking: { type: 'disabled' } }, { reasoning: { effort: 'none' } }],
    [
      { thinking: { type: 'enabled', budget_tokens: 2047 } },
      { reasoning: { effort: 'low', budget: 2047, visible: true } },
    ],
    [
      { thinking: { type: 'enabled', budget_tokens: 8191 } },
      { reasoning: { effort: 'medium', budget: 8191, visible: true } },
    ],
    [
      { thinking: { type: 'enabled', budget_tokens: 8192 } },
      { reasoning: { effort: 'high', budget: 8192, visible: true } },
    ],
    [{ thinking: { type: 'adaptive' } }, { reasoning: { effort: 'medium', visible: true } }],
    [
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'max' } },
      { reasoning: { effort: 'max', visible: false } },
    ],
    [{ output_config: { effort: 'low' } }, { reasoning: { effort: 'low' } }],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      { format: { kind: 'schema', name: 'output', schema: { type: 'object' }, strict: true } },
    ],
  ])('%j', (fields, understood) => {
    expect(parse(fields)).toMatchObject(understood)
  })

  test('of Anthropic only are dropped', () => {
    const extra = {
      service_tier: 'auto',
      context_management: {},
      inference_geo: 'us',
    }
    expect(parse(extra)).toEqual(parse({}))
  })

  test.each([
    ['container', { container: 'c' }],
    ['mcp_servers', { mcp_servers: [{ type: 'url' }] }],
    ['thread', { thread: { type: 'unknown' } }],
  ])('%s is rejected, because only Anthropic supports it', (field, extra) => {
    expect(() => parse(extra)).toThrow(
      expect.objectContaining({ params: { reason: expect.stringContaining(`${field}: `) } }),
    )
  })

  test('the container of an earlier turn is not found, because only Anthropic has it', () => {
    expect(() => parse({ thread: { type: 'continue', previous_message_id: 'msg_1' } })).toThrow(
      expect.objectContaining({ code: 'THREAD_NOT_FOUND', params: { id: 'msg_1' } }),
    )
  })

  test('a long user is replaced by a digest of 64 letters', () => {
    expect(parse({ metadata: { user_id: 'u'.repeat(65) } }).user).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('system instructions', () => {
  test.each([
    ['a text', 'Be kind', [{ kind: 'text', text: 'Be kind' }]],
    [
      'blocks, with their cache marks',
      [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two', cache_control: { type: 'ephemeral' } },
      ],
      [
        { kind: 'text', text: 'One' },
        { kind: 'text', text: 'Two', cache: { type: 'ephemeral' } },
      ],
    ],
    [
      'blocks after a billing header, which changes with each call',
      [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=1; cch=abc' },
        { type: 'text', text: 'Two' },
      ],
      [{ kind: 'text', text: 'Two' }],
    ],
  ])('are %s', (_, system, parts) => {
    expect(parse({ system }).turns).toEqual([
      { role: 'system', parts },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    ])
  })

  test.each([[''], [[]], [undefined]])('%j are none', (system) => {
    expect(parse({ system }).turns).toHaveLength(1)
  })

  test('in the conversation keep their place', () => {
    const messages = [
      ...HI,
      { role: 'system', content: [{ type: 'text', text: 'Now' }] },
      { role: 'assistant', content: 'a' },
    ]
    expect(parse({ messages }).turns.map(({ role }) => role)).toEqual(['user', 'system', 'assistant'])
  })
})

describe('blocks', () => {
  test.each<[string, object, object[]]>([
    ['text', { type: 'text', text: 'Hi' }, [{ kind: 'text', text: 'Hi' }]],
    ['text under its other name', { type: 'input_text', text: 'Hi' }, [{ kind: 'text', text: 'Hi' }]],
    [
      'an image in base64',
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/jpg', data: 'AA' },
        cache_control: { type: 'ephemeral' },
      },
      [{ kind: 'image', media: { data: 'AA', mime: 'image/jpeg' }, cache: { type: 'ephemeral' } }],
    ],
    [
      'an image by its address',
      { type: 'image', source: { type: 'url', url: 'https://a.example/b' } },
      [{ kind: 'image', media: { url: 'https://a.example/b' } }],
    ],
    [
      'a PDF',
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
      [{ kind: 'file', media: { data: 'AA', mime: 'application/pdf' }, name: 'a.pdf' }],
    ],
    [
      'a text document, with what is said about it',
      { type: 'document', context: 'About', source: { type: 'text', media_type: 'text/plain', data: 'Long' } },
      [
        { kind: 'text', text: 'About' },
        { kind: 'file', media: { text: 'Long' } },
      ],
    ],
    [
      'a document by its address',
      { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } },
      [{ kind: 'file', media: { url: 'https://a.example/b.pdf', mime: 'application/pdf' } }],
    ],
    [
      'a document of blocks',
      { type: 'document', title: 'T', source: { type: 'content', content: [{ type: 'text', text: 'Part' }] } },
      [
        { kind: 'text', text: 'T' },
        { kind: 'text', text: 'Part' },
      ],
    ],
    [
      'a search result',
      { type: 'search_result', source: 'https://a.example', title: 'A', content: [{ type: 'text', text: 'Found' }] },
      [{ kind: 'text', text: 'A\nhttps://a.example\nFound' }],
    ],
  ])('of a user: %s', (_, block, parts) => {
    expect(partsOf([block])).toEqual(parts)
  })

  test.each<[string, object, object[]]>([
    [
      'a call',
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'Oslo' } },
      [{ kind: 'call', id: 'toolu_1', name: 'look', arguments: '{"at":"Oslo"}' }],
    ],
    [
      'a signed thought',
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      [{ kind: 'reasoning', text: 'Hm', signature: 'c2ln' }],
    ],
    ['an unsigned thought', { type: 'thinking', thinking: 'Hm', signature: '' }, [{ kind: 'reasoning', text: 'Hm' }]],
    ['a hidden thought', { type: 'redacted_thinking', data: 'ZA' }, [{ kind: 'reasoning', text: '', redacted: 'ZA' }]],
    [
      "a search of the vendor's",
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'Oslo' } },
      [{ kind: 'text', text: 'Oslo' }],
    ],
    [
      'what it found, without what only the vendor can read',
      {
        type: 'web_search_tool_result',
        content: [{ type: 'web_search_result', title: 'A', url: 'https://a.example', encrypted_content: 'xyz' }],
      },
      [{ kind: 'text', text: 'A\nhttps://a.example' }],
    ],
    ['a call of a hosted tool that says nothing', { type: 'server_tool_use', id: 's', input: {} }, []],
  ])('of an assistant: %s', (_, block, parts) => {
    expect(partsOf([block], 'assistant')).toEqual(parts)
  })

  test('unsupported by other models are rejected by their position', () => {
    expect(() =>
      partsOf([
        { type: 'text', text: 'a' },
        { type: 'container_upload', file_id: 'f' },
      ]),
    ).toThrow(
      expect.objectContaining({
        params: { reason: expect.stringMatching(/^messages\[0\]\.content\[1\]: .*container_upload/) },
      }),
    )
  })

  test('of an assistant keep their order, also after a call', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: '1', name: 'look', input: {} },
      { type: 'text', text: 'b' },
    ]
    expect(partsOf(content, 'assistant')?.map(({ kind }) => kind)).toEqual(['text', 'call', 'text'])
  })

  test('results precede the rest of their turn, in their order', () => {
    const content = [
      { type: 'text', text: 'And?' },
      { type: 'tool_result', tool_use_id: '1', content: 'one' },
      {
        type: 'tool_result',
        tool_use_id: '2',
        is_error: true,
        content: [
          { type: 'text', text: 'two' },
          { type: 'image', source: { type: 'url', url: 'https://a.example/b' } },
        ],
      },
      { type: 'tool_result', tool_use_id: '3' },
    ]
    expect(partsOf(content)).toEqual([
      { kind: 'result', callId: '1', parts: [{ kind: 'text', text: 'one' }] },
      {
        kind: 'result',
        callId: '2',
        isError: true,
        parts: [
          { kind: 'text', text: 'two' },
          { kind: 'image', media: { url: 'https://a.example/b' } },
        ],
      },
      { kind: 'result', callId: '3', parts: [] },
      { kind: 'text', text: 'And?' },
    ])
  })
})

describe('tools', () => {
  test('have name, description, schema and cache mark; Claude-only fields are dropped', () => {
    const tool = {
      name: 'look',
      description: 'Looks',
      input_schema: { type: 'object', properties: {} },
      strict: true,
      cache_control: { type: 'ephemeral' },
      input_examples: [{}],
      defer_loading: true,
    }
    expect(parse({ tools: [tool, { type: 'custom', name: 'bare', input_schema: {} }] }).tools).toEqual([
      {
        name: 'look',
        description: 'Looks',
        parameters: { type: 'object', properties: {} },
        strict: true,
        cache: { type: 'ephemeral' },
      },
      { name: 'bare' },
    ])
  })

  test('built into Claude are described to others by schema, or are rejected', () => {
    const computer = { type: 'computer_20250124', name: 'computer', display_width_px: 1 }
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      computer,
    ]
    expect(parse({ tools }).tools).toMatchObject([
      { name: 'bash', parameters: { properties: { command: { type: 'string' } } } },
      { name: 'str_replace_based_edit_tool', parameters: { required: ['command', 'path'] } },
      { name: 'computer_20250124', vendor: { dialect: 'anthropic-messages', tool: computer } },
    ])
  })

  test('a web search becomes a setting of the conversation', () => {
    const search = {
      type: 'web_search_20250305',
      name: 'web_search',
      user_location: { type: 'approximate', city: 'Oslo' },
    }
    const { tools, webSearch } = parse({ tools: [search] })
    expect(tools).toEqual([])
    expect(webSearch).toEqual({ user_location: { type: 'approximate', approximate: { city: 'Oslo' } } })
  })

  test.each([
    [{ type: 'auto' }, { toolChoice: { mode: 'auto' } }],
    [{ type: 'any' }, { toolChoice: { mode: 'required' } }],
    [{ type: 'none' }, { toolChoice: { mode: 'none' } }],
    [{ type: 'tool', name: 'look' }, { toolChoice: { mode: 'required', names: ['look'] } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { toolChoice: { mode: 'auto' }, parallelCalls: false },
    ],
  ])('choice %j', (tool_choice, understood) => {
    expect(parse({ tool_choice })).toMatchObject(understood)
  })
})
