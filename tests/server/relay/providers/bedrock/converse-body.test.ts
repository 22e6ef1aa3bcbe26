import { describe, expect, test } from 'vitest'
import { recordOf } from '../../../../../core/records.ts'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { converseBody } from '../../../../../server/relay/providers/bedrock/converse-body.ts'

const text = (content: string): Part => ({ kind: 'text', text: content })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const system = (content: string): Turn => ({ role: 'system', parts: [text(content)] })
const call = (id: string, json = '{}', name = 'f'): Part => ({ kind: 'call', id, name, arguments: json })
const result = (callId: string, ...parts: Part[]): Part => ({ kind: 'result', callId, parts })

const NOVA = 'us.amazon.nova-pro-v1:0'
const PROFILE = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc'

function body(fields: Partial<Conversation>, id = NOVA) {
  return converseBody({ turns: [user(text('hi'))], tools: [], extras: {}, ...fields }, { id }) as Record<
    string,
    unknown
  >
}
const messages = (turns: Turn[], id = NOVA) => body({ turns }, id).messages as { role: string; content: unknown[] }[]

describe('a conversation with Converse', () => {
  test('has all content in its fields, zeros too', () => {
    expect(
      body({
        turns: [system('one'), system('two'), user(text('hi'))],
        maxTokens: 5,
        temperature: 0,
        topP: 0,
        topK: 3,
        seed: 0,
        stop: ['END', ' ', ''],
      }),
    ).toEqual({
      messages: [{ role: 'user', content: [{ text: 'hi' }] }],
      system: [{ text: 'one' }, { text: 'two' }],
      inferenceConfig: { maxTokens: 5, temperature: 0, topP: 0, stopSequences: ['END'] },
    })
  })

  test('has alternating roles, a user first, and no blank text', () => {
    expect(
      messages([
        assistant(text('before')),
        user(text('a')),
        user(text(' '), text('b')),
        system('rule'),
        assistant(text('c'), text('')),
        user(text('  ')),
      ]),
    ).toEqual([
      { role: 'user', content: [{ text: '...' }] },
      { role: 'assistant', content: [{ text: 'before' }] },
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }, { text: 'rule' }] },
      { role: 'assistant', content: [{ text: 'c' }] },
      { role: 'user', content: [{ text: '(empty)' }] },
    ])
  })

  test('has all results of a turn in the next one, in the order of the calls, followed by texts', () => {
    expect(
      messages([
        user(text('go')),
        assistant(text('calling'), call('a', '{"x":1}'), call('b', ''), text('after')),
        user(result('b', text('B'))),
        user(result('a', text(''))),
        user(text('next')),
      ]),
    ).toEqual([
      { role: 'user', content: [{ text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { text: 'calling' },
          { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
          { toolUse: { toolUseId: 'b', name: 'f', input: {} } },
          { text: 'after' },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', status: 'success', content: [{ text: '(empty)' }] } },
          { toolResult: { toolUseId: 'b', status: 'success', content: [{ text: 'B' }] } },
          { text: 'next' },
        ],
      },
    ])
  })

  test('keeps invalid JSON arguments readable, and marks a missing result as an error', () => {
    const [, turn, answer] = messages([user(text('go')), assistant(call('a', '{"x":'))])
    expect(turn?.content).toEqual([{ toolUse: { toolUseId: 'a', name: 'f', input: { arguments: '{"x":' } } }])
    expect(answer?.content).toEqual([
      { toolResult: { toolUseId: 'a', status: 'error', content: [{ text: '(no result)' }] } },
    ])
  })

  test('replaces ids of other vendors by allowed letters, the same in call and result', () => {
    for (const id of ['functions.f:0', 'x'.repeat(80)]) {
      const [, turn, answer] = messages([user(text('go')), assistant(call(id)), user(result(id, text('r')))])
      const used = recordOf(recordOf(turn?.content[0]).toolUse).toolUseId
      expect(used).toMatch(/^[\w-]{1,64}$/)
      expect(answer?.content[0]).toMatchObject({ toolResult: { toolUseId: used } })
    }
  })

  test('has images and documents as bytes, with distinct allowed names', () => {
    const pdf = (name?: string): Part => ({
      kind: 'file',
      media: { data: 'UERG', mime: 'application/pdf' },
      ...(name && { name }),
    })
    expect(
      messages([
        user({ kind: 'image', media: { data: 'AAAA', mime: 'image/jpeg' } }, pdf('Größe_1.pdf'), pdf('Größe_1.pdf')),
        assistant(text('ok')),
        user(pdf(), { kind: 'file', media: { text: 'plain' }, name: 'a  b.txt' }),
      ]),
    ).toEqual([
      {
        role: 'user',
        content: [
          { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
          { document: { format: 'pdf', name: 'Gr--e-1', source: { bytes: 'UERG' } } },
          { document: { format: 'pdf', name: 'Gr--e-1 (2)', source: { bytes: 'UERG' } } },
          { text: '(document)' },
        ],
      },
      { role: 'assistant', content: [{ text: 'ok' }] },
      {
        role: 'user',
        content: [
          { document: { format: 'pdf', name: 'document', source: { bytes: 'UERG' } } },
          { document: { format: 'txt', name: 'a b', source: { bytes: 'cGxhaW4=' } } },
          { text: '(document)' },
        ],
      },
    ])
  })

  test('has images with the type of their bytes, despite the declared type', () => {
    const image = (data: string, mime: string): Part => ({ kind: 'image', media: { data, mime } })
    expect(messages([user(image('iVBORw0KGgoAAA', 'image/jpeg'), image('AAAA', 'image/jpg'))])[0]?.content).toEqual([
      { image: { format: 'png', source: { bytes: 'iVBORw0KGgoAAA' } } },
      { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
    ])
  })

  test.each<[string, Part]>([
    ['input_audio', { kind: 'audio', data: 'AAAA', format: 'wav' }],
    ['video_url', { kind: 'other', part: { type: 'video_url' } }],
    ['image/bmp', { kind: 'image', media: { data: 'AAAA', mime: 'image/bmp' } }],
    ['address', { kind: 'image', media: { url: 'gs://bucket/a' } }],
    ['id', { kind: 'file', media: { id: 'file_1' } }],
  ])('rejects unsupported content by name: %s', (named, part) => {
    expect(() => messages([user(part)])).toThrow(named)
  })

  test('sends signed reasoning back only to Claude', () => {
    const turns = [
      user(text('go')),
      assistant(
        { kind: 'reasoning', text: 'hm', signature: 'sig' },
        { kind: 'reasoning', text: 'unsigned' },
        { kind: 'reasoning', text: '', redacted: 'enc' },
        text('said'),
      ),
      user(text('on')),
    ]
    expect(messages(turns)[1]?.content).toEqual([{ text: 'said' }])
    expect(messages(turns, PROFILE)[1]?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } },
      { reasoningContent: { redactedContent: 'enc' } },
      { text: 'said' },
    ])
  })

  test('marks the cache after its content, for models with a cache', () => {
    const cache = { type: 'ephemeral' }
    const fields: Partial<Conversation> = {
      turns: [
        { role: 'system', parts: [{ kind: 'text', text: 's', cache }] },
        user({ kind: 'text', text: 'u', cache }),
      ],
      tools: [{ name: 'f', cache }],
    }
    const point = { cachePoint: { type: 'default' } }
    const result = body(fields, PROFILE)
    expect(result.system).toEqual([{ text: 's' }, point])
    expect(result.messages).toEqual([{ role: 'user', content: [{ text: 'u' }, point] }])
    expect(JSON.stringify(body(fields, 'meta.llama3-8b-instruct-v1:0'))).not.toContain('cachePoint')
  })

  test.each([NOVA, 'arn:aws:bedrock:us-east-1:1:inference-profile/us.amazon.nova-pro-v1:0', PROFILE])(
    'marks no cache among the tools, because Nova rejects the mark there: %s',
    (id) => {
      const cache = { type: 'ephemeral' }
      const { toolConfig, messages } = body(
        { tools: [{ name: 'f', cache }], turns: [user({ ...text('u'), cache } as Part)] },
        id,
      )
      expect(JSON.stringify(toolConfig)).not.toContain('cachePoint')
      expect(JSON.stringify(messages)).toContain('cachePoint')
    },
  )

  test('marks the cache of tools once, after the instructions', () => {
    const cache = { type: 'ephemeral' }
    const system = (mark?: object): Turn => ({ role: 'system', parts: [{ ...text('s'), ...mark } as Part] })
    const point = { cachePoint: { type: 'default' } }
    const tools = [{ name: 'f', cache }, { name: 'g' }]
    expect(body({ turns: [system(), user(text('u'))], tools }, PROFILE).system).toEqual([{ text: 's' }, point])
    expect(body({ turns: [system({ cache }), user(text('u'))], tools }, PROFILE).system).toEqual([{ text: 's' }, point])
    expect(body({ turns: [user(text('u'))], tools }, PROFILE)).not.toHaveProperty('system')
  })

  test('requests JSON in words', () => {
    expect(body({ format: { kind: 'json' } }).system).toEqual([{ text: expect.stringContaining('JSON object') }])
    const schema = { type: 'object', properties: { a: {} } }
    expect(body({ format: { kind: 'schema', name: 'n', schema } }).system).toEqual([
      { text: expect.stringContaining(JSON.stringify(schema)) },
    ])
  })

  test('forwards Bedrock-only fields, and the effort of an open OpenAI model', () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' }
    expect(body({ extras: { guardrailConfig, enable_thinking: true } })).toMatchObject({ guardrailConfig })
    expect(body({ extras: { enable_thinking: true } })).not.toHaveProperty('enable_thinking')
    const reasoning = { effort: 'low' } as const
    expect(body({ reasoning }, 'openai.gpt-oss-120b-1:0').additionalModelRequestFields).toEqual({
      reasoning_effort: 'low',
    })
    expect(body({ reasoning })).not.toHaveProperty('additionalModelRequestFields')
  })

  test('several replies are rejected', () => {
    expect(() => body({ choices: 2 })).toThrow('n must be 1')
    expect(body({ choices: 1 })).toBeDefined()
  })
})

describe('tools for Converse', () => {
  const tools = [
    { name: 'f', description: 'does f', parameters: { properties: { x: { type: 'string' } } } },
    { name: 'g', description: '' },
  ]
  const spec = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: 'object', properties: {} } } } })

  test('have an object schema, for any schema of the client', () => {
    expect(body({ tools }).toolConfig).toEqual({
      tools: [
        {
          toolSpec: {
            name: 'f',
            description: 'does f',
            inputSchema: { json: { type: 'object', properties: { x: { type: 'string' } } } },
          },
        },
        spec('g'),
      ],
    })
  })

  test.each([
    [{ mode: 'auto' }, ['f', 'g'], undefined],
    [{ mode: 'required' }, ['f', 'g'], { any: {} }],
    [{ mode: 'required', names: ['g'] }, ['g'], { tool: { name: 'g' } }],
    [{ mode: 'required', names: ['f', 'g'] }, ['f', 'g'], { any: {} }],
    [{ mode: 'auto', names: ['f'] }, ['f'], undefined],
  ] as const)('the choice %j leaves %j', (toolChoice, names, choice) => {
    const config = body({ tools, toolChoice }).toolConfig as { tools: ReturnType<typeof spec>[]; toolChoice: unknown }
    expect(config.tools.map(({ toolSpec }) => toolSpec.name)).toEqual(names)
    expect(config.toolChoice).toEqual(choice)
  })

  test('are dropped if none may be called, unless the history has calls', () => {
    const toolChoice = { mode: 'none' } as const
    expect(body({ tools, toolChoice })).not.toHaveProperty('toolConfig')
    const turns = [user(text('go')), assistant(call('a')), user(result('a', text('r')))]
    expect(body({ tools, toolChoice, turns })).toHaveProperty('toolConfig')
  })

  test('of the history are declared if the client sends none', () => {
    const turns = [user(text('go')), assistant(call('a'), call('b', '{}', 'g')), user(result('a', text('r')))]
    expect(body({ turns }).toolConfig).toEqual({ tools: [spec('f'), spec('g')] })
  })

  test('with free text get it as their one argument; tools of other vendors are rejected', () => {
    const result = body({
      tools: [{ name: 'patch', custom: {} }],
      turns: [user(text('go')), assistant({ kind: 'call', id: 'a', name: 'patch', arguments: 'free', custom: true })],
    }) as unknown as { toolConfig: unknown; messages: { content: unknown[] }[] }
    expect(JSON.stringify(result.toolConfig)).toContain('"required":["input"]')
    expect(result.messages[1]?.content).toEqual([
      { toolUse: { toolUseId: 'a', name: 'patch', input: { input: 'free' } } },
    ])
    const vendor = { dialect: 'anthropic-messages', tool: { type: 'bash_20250124' } }
    expect(() => body({ tools: [{ name: 'bash', vendor }] })).toThrow('bash')
  })
})
