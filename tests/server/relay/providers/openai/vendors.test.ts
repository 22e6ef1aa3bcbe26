import { describe, expect, test } from 'vitest'
import { chatAsk, conversationOf, planned } from '../../../../support/plan.ts'

const HI = [{ role: 'user', content: 'hi' }]
const CALL = { id: 'toolu_01ABC-def', type: 'function', function: { name: 'look', arguments: '{}' } }
const LOOP = [
  ...HI,
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'toolu_01ABC-def', content: 'seen' },
]
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const [OPENAI, CUSTOM, OPENROUTER, FASTGPT, MOONSHOT, PERPLEXITY] = [1, 8, 20, 22, 25, 27]
const [MINIMAX, SILICONFLOW, MISTRAL, DEEPSEEK, ARK, XAI] = [35, 40, 42, 43, 45, 48]

type Body = Record<string, unknown>

/** Type, what the client sends, and what arrives at the upstream instead; both beside the model and one greeting. */
const CASES: [string, number, Body, Body][] = [
  [
    'a reasoning model: limit renamed, sampling dropped',
    OPENAI,
    {
      model: 'o3',
      max_tokens: 9,
      temperature: 0,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      logprobs: true,
      top_logprobs: 1,
      logit_bias: {},
    },
    { model: 'o3', max_completion_tokens: 9 },
  ],
  [
    'a limit under both names: the new one is kept',
    OPENAI,
    { model: 'gpt-5', max_tokens: 9, max_completion_tokens: 8 },
    { model: 'gpt-5', max_completion_tokens: 8 },
  ],
  ['a suffix is the effort', OPENAI, { model: 'o3-mini-high' }, { model: 'o3-mini', reasoning_effort: 'high' }],
  [
    'a suffix is the effort, behind a date too',
    OPENAI,
    { model: 'o3-mini-2025-01-31-low' },
    { model: 'o3-mini-2025-01-31', reasoning_effort: 'low' },
  ],
  ['gpt-5 has more suffixes', OPENAI, { model: 'gpt-5.1-none' }, { model: 'gpt-5.1', reasoning_effort: 'none' }],
  [
    'instructions are the developer’s',
    OPENAI,
    { model: 'o1', messages: [{ role: 'system', content: 's' }, ...HI] },
    { model: 'o1', messages: [{ role: 'developer', content: 's' }, ...HI] },
  ],
  [
    'instructions are the user’s where there are none',
    OPENAI,
    { model: 'o1-mini', messages: [{ role: 'system', content: 's' }, ...HI] },
    { model: 'o1-mini', messages: [{ role: 'user', content: 's' }, ...HI] },
  ],
  [
    'a search model takes no sampling',
    OPENAI,
    { model: 'gpt-4o-search-preview', temperature: 0, web_search_options: {} },
    { model: 'gpt-4o-search-preview', web_search_options: {} },
  ],
  [
    'an effort that the o-series does not know is the nearest',
    OPENAI,
    { model: 'o4-mini', reasoning_effort: 'minimal' },
    { model: 'o4-mini', reasoning_effort: 'low' },
  ],
  [
    'a model that does not reason is told nothing about it',
    OPENAI,
    { model: 'gpt-4o', reasoning_effort: 'low' },
    { model: 'gpt-4o' },
  ],
  [
    'no more than four stop sequences',
    OPENAI,
    { model: 'gpt-4o', stop: ['a', 'b', 'c', 'd', 'e'] },
    { model: 'gpt-4o', stop: ['a', 'b', 'c', 'd'] },
  ],
  [
    'as many stop sequences as the client likes for others',
    CUSTOM,
    { model: 'llama', stop: ['a', 'b', 'c', 'd', 'e'] },
    { model: 'llama', stop: ['a', 'b', 'c', 'd', 'e'] },
  ],
  [
    'developer stays with OpenAI’s models at any reseller',
    CUSTOM,
    { model: 'gpt-4o', messages: [{ role: 'developer', content: 's' }] },
    { model: 'gpt-4o', messages: [{ role: 'developer', content: 's' }] },
  ],
  [
    'developer is system for others',
    CUSTOM,
    { model: 'llama', messages: [{ role: 'developer', content: 's' }] },
    { model: 'llama', messages: [{ role: 'system', content: 's' }] },
  ],
  [
    'a bare image address is an object',
    CUSTOM,
    {
      model: 'llama',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://x.example/a' }] }],
    },
    {
      model: 'llama',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example/a' } }] }],
    },
  ],
  [
    'bare base64 is a data URL',
    CUSTOM,
    {
      model: 'llama',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'iVBORw0KGgo=' } }] }],
    },
    {
      model: 'llama',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
      ],
    },
  ],
  [
    'input_text is text',
    CUSTOM,
    { model: 'llama', messages: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] },
    { model: 'llama', messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
  ],
  [
    'OpenRouter is asked for reasoning in its own object',
    OPENROUTER,
    { model: 'a/b', reasoning_effort: 'max' },
    { model: 'a/b', reasoning: { effort: 'xhigh' } },
  ],
  [
    'OpenRouter is asked for none',
    OPENROUTER,
    { model: 'a/b', reasoning_effort: 'none' },
    { model: 'a/b', reasoning: { enabled: false } },
  ],
  [
    'OpenRouter: its own object is kept',
    OPENROUTER,
    { model: 'a/b', reasoning_effort: 'low', reasoning: { max_tokens: 9 } },
    { model: 'a/b', reasoning: { max_tokens: 9 } },
  ],
  [
    'FastGPT is never asked for details',
    FASTGPT,
    { model: 'x', detail: true, chatId: 'c' },
    { model: 'x', detail: false, chatId: 'c' },
  ],
  ['Moonshot is cool', MOONSHOT, { model: 'kimi-k2', temperature: 1.7 }, { model: 'kimi-k2', temperature: 1 }],
  [
    'Moonshot thinks as it is told',
    MOONSHOT,
    { model: 'kimi-k2', reasoning_effort: 'none' },
    { model: 'kimi-k2', thinking: { type: 'disabled' } },
  ],
  [
    'Moonshot gets an empty thought for a lost one',
    MOONSHOT,
    { model: 'kimi-k2-thinking', messages: LOOP },
    { model: 'kimi-k2-thinking', messages: LOOP.map((m) => ('tool_calls' in m ? { ...m, reasoning_content: '' } : m)) },
  ],
  [
    'Perplexity gets what it knows, in turns',
    PERPLEXITY,
    {
      model: 'sonar',
      top_p: 1,
      user: 'u',
      n: 2,
      seed: 0,
      tools: TOOLS,
      tool_choice: 'auto',
      stream_options: { include_usage: true },
      messages: [
        { role: 'user', content: 'a', name: 'ada' },
        { role: 'user', content: 'b' },
      ],
    },
    { model: 'sonar', top_p: 0.99, messages: [{ role: 'user', content: 'a\n\nb' }] },
  ],
  [
    'Perplexity reads of tools in words',
    PERPLEXITY,
    { model: 'sonar', messages: LOOP },
    {
      model: 'sonar',
      messages: [
        ...HI,
        { role: 'assistant', content: 'Called the tool look with {}' },
        { role: 'user', content: 'Result of a tool: seen' },
      ],
    },
  ],
  [
    'Perplexity: the user is first, instructions stand before',
    PERPLEXITY,
    {
      model: 'sonar',
      messages: [
        { role: 'system', content: 's' },
        { role: 'assistant', content: 'a' },
        { role: 'system', content: 't' },
      ],
    },
    {
      model: 'sonar',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: '…' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 't' },
      ],
    },
  ],
  [
    'MiniMax: never quite cold, and free to call',
    MINIMAX,
    {
      model: 'm',
      temperature: 0,
      max_tokens: 9,
      tools: TOOLS,
      tool_choice: { type: 'function', function: { name: 'look' } },
    },
    { model: 'm', temperature: 0.01, max_completion_tokens: 9, tools: TOOLS, tool_choice: 'auto' },
  ],
  [
    'SiliconFlow thinks as it is told',
    SILICONFLOW,
    { model: 'q', reasoning_effort: 'high' },
    { model: 'q', enable_thinking: true },
  ],
  [
    'SiliconFlow: the vendor fields of the client are kept',
    SILICONFLOW,
    { model: 'q', reasoning_effort: 'high', enable_thinking: false },
    { model: 'q', enable_thinking: false },
  ],
  [
    'Mistral: renamed, and nothing that it does not know',
    MISTRAL,
    {
      model: 'm',
      seed: 0,
      max_completion_tokens: 9,
      user: 'u',
      store: true,
      metadata: {},
      service_tier: 'x',
      logprobs: true,
      logit_bias: {},
      reasoning_effort: 'low',
      enable_thinking: true,
      stream_options: {},
    },
    { model: 'm', random_seed: 0, max_tokens: 9 },
  ],
  [
    'Mistral: required is any',
    MISTRAL,
    { model: 'm', tools: TOOLS, tool_choice: 'required' },
    { model: 'm', tools: TOOLS, tool_choice: 'any' },
  ],
  [
    'DeepSeek V4 thinks hard',
    DEEPSEEK,
    { model: 'deepseek-v4-pro', reasoning_effort: 'xhigh', temperature: 0, top_p: 1 },
    { model: 'deepseek-v4-pro', thinking: { type: 'enabled' }, reasoning_effort: 'max' },
  ],
  [
    'DeepSeek thinks',
    DEEPSEEK,
    { model: 'deepseek-v4-pro', reasoning_effort: 'low' },
    { model: 'deepseek-v4-pro', thinking: { type: 'enabled' } },
  ],
  [
    'DeepSeek does not think, and samples',
    DEEPSEEK,
    { model: 'deepseek-v4-pro', reasoning_effort: 'none', temperature: 0 },
    { model: 'deepseek-v4-pro', thinking: { type: 'disabled' }, temperature: 0 },
  ],
  [
    'DeepSeek gets an empty thought for a lost one',
    DEEPSEEK,
    { model: 'deepseek-v4-pro', messages: LOOP },
    { model: 'deepseek-v4-pro', messages: LOOP.map((m) => ('tool_calls' in m ? { ...m, reasoning_content: '' } : m)) },
  ],
  [
    'Ark thinks as it is told',
    ARK,
    { model: 'ep-1', reasoning_effort: 'medium' },
    { model: 'ep-1', thinking: { type: 'enabled' } },
  ],
  [
    'xAI: a suffix is the effort, and nothing a reasoner refuses',
    XAI,
    { model: 'grok-3-mini-fast-beta-low', max_tokens: 9, stop: ['x'], presence_penalty: 0, frequency_penalty: 0 },
    { model: 'grok-3-mini-fast-beta', reasoning_effort: 'low', max_completion_tokens: 9 },
  ],
  [
    'a choice among no tools is not spoken of',
    CUSTOM,
    { model: 'llama', tool_choice: 'auto', parallel_tool_calls: false, tools: [] },
    { model: 'llama' },
  ],
  [
    'no calls are no list of calls',
    ARK,
    { model: 'm', messages: [{ role: 'assistant', content: null, tool_calls: [] }] },
    { model: 'm', messages: [{ role: 'assistant', content: '' }] },
  ],
]

describe('vendor quirks', () => {
  test.each(CASES)('%s', async (_, type, body, expected) => {
    const { sent, plan } = await planned(type, chatAsk({ messages: HI, ...body }))
    expect(sent).toEqual({ messages: HI, ...expected })
    expect(plan.native).toBe(type !== MISTRAL)
  })

  test.each(CASES)('%s, of a request in another dialect too', async (_, type, body, expected) => {
    const known = new Set(['model', 'temperature', 'max_tokens', 'reasoning_effort'])
    if (!Object.keys(body).every((name) => known.has(name))) return
    const { temperature, max_tokens, reasoning_effort } = body as Record<string, never>
    const conversation = conversationOf({
      ...(temperature !== undefined && { temperature }),
      ...(max_tokens !== undefined && { maxTokens: max_tokens }),
      ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
    })
    const { sent, plan } = await planned(type, { dialect: 'gemini', model: String(body.model), conversation })
    expect(sent).toEqual({ messages: HI, stream: false, ...expected })
    expect(plan.native).toBe(false)
  })
})

describe('ids of calls at Mistral', () => {
  test('are nine letters and digits, the same for a call and its result, each time', async () => {
    const once = await planned(MISTRAL, chatAsk({ model: 'm', messages: LOOP }))
    const again = await planned(MISTRAL, chatAsk({ model: 'm', messages: LOOP }))
    const [, assistant, tool] = once.sent.messages as {
      tool_calls: { id: string }[]
      tool_call_id: string
      name: string
    }[]
    expect(assistant?.tool_calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(tool).toMatchObject({ tool_call_id: assistant?.tool_calls[0]?.id, name: 'look' })
    expect(again.sent).toEqual(once.sent)
  })

  test('stay unchanged if already so', async () => {
    const messages = JSON.parse(JSON.stringify(LOOP).replaceAll('toolu_01ABC-def', 'aB3dE6gH9'))
    const { sent } = await planned(MISTRAL, chatAsk({ model: 'm', messages }))
    expect(sent.messages).toMatchObject([{}, { tool_calls: [{ id: 'aB3dE6gH9' }] }, { tool_call_id: 'aB3dE6gH9' }])
  })
})

test("Mistral's replies are normalized for chat clients too: content parts and calls without index are not OpenAI's", async () => {
  const { plan } = await planned(MISTRAL, chatAsk({ model: 'm', messages: HI }))
  expect(plan.native).toBe(false)
})

describe('bytes', () => {
  test.each([1, 6, 8, 19, 20, 22, 25, 27, 31, 40, 42, 43, 45, 47, 48, 53])(
    'type %i gets the unchanged bytes if nothing must change',
    async (type) => {
      const body = { model: 'some-model', messages: HI, temperature: 0.5, max_tokens: 9 }
      expect((await planned(type, chatAsk(body))).isRaw).toBe(true)
    },
  )

  test.each([
    [true, [1, 20, 25, 31, 35, 40, 43, 45, 47, 48]],
    [false, [8, 19, 22, 27, 42]],
  ])('stream usage is requested: %s of %j', async (asks, types) => {
    for (const type of types) {
      const { sent } = await planned(type, chatAsk({ model: 'm', messages: HI, stream: true, stream_options: {} }))
      expect(sent.stream_options).toEqual(asks ? { include_usage: true } : undefined)
    }
  })
})
