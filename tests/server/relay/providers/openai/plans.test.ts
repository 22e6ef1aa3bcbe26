import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../../../core/channels/settings/settings.ts'
import { chatAsk, conversationOf, planned } from '../../../../support/plan.ts'

const HI = [{ role: 'user', content: 'hi' }]
const chat = (model = 'm', more: Record<string, unknown> = {}) => chatAsk({ model, messages: HI, ...more })
const settings = (setting: Record<string, unknown>) => ({ settings: parseSettings(JSON.stringify(setting)) })

describe('addresses', () => {
  test.each([
    [1, 'https://api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    [1, 'https://x.example/v1', 'https://x.example/v1/chat/completions'],
    [1, 'https://x.example/v4', 'https://x.example/v4/chat/completions'],
    [1, 'https://x.example/v1beta/openai', 'https://x.example/v1beta/openai/chat/completions'],
    [
      1,
      'https://gateway.ai.cloudflare.com/v1/a/g/openai',
      'https://gateway.ai.cloudflare.com/v1/a/g/openai/chat/completions',
    ],
    [8, 'https://x.example/{model}/talk?a=1', 'https://x.example/m%2Fx/talk?a=1'],
    [20, 'https://openrouter.ai/api', 'https://openrouter.ai/api/v1/chat/completions'],
    [27, 'https://api.perplexity.ai', 'https://api.perplexity.ai/chat/completions'],
    [35, 'https://api.minimax.chat', 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    [45, 'https://ark.cn-beijing.volces.com', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [
      45,
      'https://ark.cn-beijing.volces.com/api/coding/v3',
      'https://ark.cn-beijing.volces.com/api/coding/v3/chat/completions',
    ],
  ])('type %i at %s', async (type, baseUrl, url) => {
    expect((await planned(type, chat('m/x'), { channel: { baseUrl } })).url).toBe(url)
  })

  test('Ark’s bots have another path', async () => {
    expect((await planned(45, chat('bot-2024'))).url).toBe(
      'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions',
    )
  })

  test('DeepSeek continues a started reply at another path, beside its version', async () => {
    const begun = { messages: [...HI, { role: 'assistant', content: '{', prefix: true }] }
    const channel = { baseUrl: 'https://api.deepseek.com/v1' }
    expect((await planned(43, chat('deepseek-chat', begun), { channel })).url).toBe(
      'https://api.deepseek.com/beta/chat/completions',
    )
    expect((await planned(43, chat('deepseek-chat'), { channel })).url).toBe(
      'https://api.deepseek.com/v1/chat/completions',
    )
  })
})

describe('the upstream format', () => {
  const claude = {
    dialect: 'anthropic-messages',
    model: 'm',
    body: { model: 'm', max_tokens: 9, messages: HI },
    conversation: conversationOf(),
  } as const
  const responses = {
    dialect: 'openai-responses',
    model: 'm',
    body: { model: 'm', input: 'hi' },
    conversation: conversationOf(),
  } as const

  test.each([
    [20, 'https://openrouter.ai/api/v1/messages', 'authorization'],
    [25, 'https://api.moonshot.cn/anthropic/v1/messages', 'x-api-key'],
    [35, 'https://api.minimax.chat/anthropic/v1/messages', 'x-api-key'],
    [43, 'https://api.deepseek.com/anthropic/v1/messages', 'x-api-key'],
    [48, 'https://api.x.ai/v1/messages', 'authorization'],
  ])('is the client’s own: Messages at type %i', async (type, url, header) => {
    const { plan, isRaw, headers, ...request } = await planned(type, claude)
    expect({ native: plan.native, isRaw, url: request.url }).toEqual({ native: true, isRaw: true, url })
    expect(headers).toMatchObject({
      'anthropic-version': '2023-06-01',
      [header]: expect.stringContaining('sk-channel-key'),
    })
    expect(Object.keys(headers).filter((name) => name === 'authorization' || name === 'x-api-key')).toEqual([header])
  })

  test.each([
    [1, 'https://api.openai.com/v1/responses'],
    [20, 'https://openrouter.ai/api/v1/responses'],
    [45, 'https://ark.cn-beijing.volces.com/api/v3/responses'],
    [48, 'https://api.x.ai/v1/responses'],
  ])('is the client’s own: Responses at type %i', async (type, url) => {
    const { plan, isRaw, ...request } = await planned(type, responses)
    expect({ native: plan.native, isRaw, url: request.url }).toEqual({ native: true, isRaw: true, url })
  })

  test('is chat completions at an address that only claims to be OpenAI', async () => {
    const channel = { baseUrl: 'https://local.example' }
    const { plan, url, sent } = await planned(1, responses, { channel })
    expect({ native: plan.native, url }).toEqual({ native: false, url: 'https://local.example/v1/chat/completions' })
    expect(sent).toEqual({ model: 'm', messages: HI, stream: false })
  })

  test('is set by the channel', async () => {
    const channel = {
      baseUrl: 'https://local.example',
      ...settings({ dialects: ['anthropic-messages', 'openai-responses'] }),
    }
    expect(await planned(1, responses, { channel })).toMatchObject({
      isRaw: true,
      url: 'https://local.example/v1/responses',
    })
    expect(await planned(1, { ...chat(), conversation: conversationOf() }, { channel })).toMatchObject({
      url: 'https://local.example/v1/messages',
      sent: { model: 'm', messages: [{ role: 'user' }], max_tokens: expect.any(Number) },
      plan: { native: false },
    })
    const alone = { ...settings({ dialects: ['openai-responses'] }) }
    expect(
      await planned(
        1,
        { ...chat('o3-high'), model: 'o3-high', conversation: conversationOf({ temperature: 1 }) },
        { channel: alone },
      ),
    ).toMatchObject({
      url: 'https://api.openai.com/v1/responses',
      sent: { model: 'o3', reasoning: { effort: 'high' }, store: false },
      plan: { native: false },
    })
  })

  test('without a translation is a channel error', async () => {
    const channel = settings({ dialects: ['openai-completions'] })
    await expect(planned(1, chat(), { channel })).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
  })

  test('a suffix is the effort in Responses too', async () => {
    const { sent } = await planned(1, {
      ...responses,
      body: { model: 'o3-mini-high', input: 'x', reasoning: { summary: 'auto' } },
      model: 'o3-mini-high',
    })
    expect(sent).toEqual({ model: 'o3-mini', input: 'x', reasoning: { summary: 'auto', effort: 'high' } })
  })

  test('of completions requests stream usage; Responses and Messages have no such field', async () => {
    const completions = {
      dialect: 'openai-completions',
      model: 'm',
      stream: true,
      body: { model: 'm', prompt: 'p', stream: true },
    } as const
    const { url, sent } = await planned(43, completions)
    expect(url).toBe('https://api.deepseek.com/beta/completions')
    expect(sent.stream_options).toEqual({ include_usage: true })
    expect((await planned(20, { ...claude, stream: true })).isRaw).toBe(true)
    expect((await planned(20, { ...responses, stream: true })).isRaw).toBe(true)
  })
})

describe('other sent data', () => {
  test('a mapped model is named, and everything else is unchanged', async () => {
    const { sent } = await planned(8, { ...chat('asked', { odd: { n: 1 } }), model: 'mapped' })
    expect(sent).toEqual({ model: 'mapped', messages: HI, odd: { n: 1 } })
  })

  test('the client’s query is forwarded only to upstreams of its format', async () => {
    const query = 'beta=true'
    expect((await planned(43, { dialect: 'anthropic-messages', query, body: {} })).url).toMatch(/\?beta=true$/)
    expect(
      (await planned(31, { dialect: 'anthropic-messages', query, body: {}, conversation: conversationOf() })).url,
    ).not.toContain('?')
  })

  test('only OpenAI gets the organization; the key is the channel’s', async () => {
    const channel = { organization: 'org-1' }
    const { headers } = await planned(
      1,
      { ...chat(), headers: { 'openai-beta': 'p', authorization: 'x' } },
      { channel },
    )
    expect(headers).toMatchObject({
      'openai-organization': 'org-1',
      'openai-beta': 'p',
      authorization: 'Bearer sk-channel-key-1234567890',
    })
    expect((await planned(20, chat(), { channel })).headers).not.toHaveProperty('openai-organization')
  })

  test('files with a URL are included as bytes; images keep theirs', async () => {
    const conversation = conversationOf({
      turns: [
        {
          role: 'user',
          parts: [
            { kind: 'file', media: { url: 'https://x.example/a.pdf' } },
            { kind: 'image', media: { url: 'https://x.example/a.png' } },
          ],
        },
      ],
    })
    const media = async () => ({ data: Buffer.from('%PDF'), mime: 'application/pdf' })
    const { sent } = await planned(1, { dialect: 'gemini', conversation }, { context: { download: media } })
    expect(sent.messages).toMatchObject([
      {
        content: [
          { file: { file_data: 'data:application/pdf;base64,JVBERg==' } },
          { image_url: { url: 'https://x.example/a.png' } },
        ],
      },
    ])
  })

  test('tools with free text are sent to OpenAI’s models, and converted for others', async () => {
    const conversation = conversationOf({ tools: [{ name: 'patch', custom: {} }] })
    const ask = (model: string) => ({ dialect: 'anthropic-messages', model, conversation }) as const
    expect((await planned(1, ask('gpt-5'))).sent.tools).toMatchObject([{ type: 'custom' }])
    const { sent, plan } = await planned(1, ask('llama'))
    expect(sent.tools).toMatchObject([{ type: 'function' }])
    const tool_calls = [{ index: 0, id: 'a', function: { name: 'patch', arguments: '{"input":"x"}' } }]
    const events = plan.reader?.whole({ choices: [{ index: 0, message: { tool_calls }, finish_reason: 'tool_calls' }] })
    expect(events).toMatchObject([
      { kind: 'call', custom: true },
      { kind: 'arguments', text: 'x' },
      { kind: 'stop' },
      { kind: 'end' },
    ])
  })

  test('OpenRouter gets signed reasoning and cache marks, DeepSeek only the reasoning and the prefix flag', async () => {
    const cache = { type: 'ephemeral' }
    const conversation = conversationOf({
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'hi', cache }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'hm', signature: 's' },
            { kind: 'text', text: 'a' },
          ],
        },
      ],
    })
    const ask = { dialect: 'gemini', model: 'm', conversation } as const
    expect((await planned(20, ask)).sent.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: cache }] },
      { role: 'assistant', content: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }] },
    ])
    expect((await planned(43, ask)).sent.messages).toEqual([
      ...HI,
      { role: 'assistant', content: 'a', reasoning_content: 'hm', prefix: true },
    ])
    expect((await planned(43, ask)).url).toBe('https://api.deepseek.com/beta/chat/completions')
    expect((await planned(1, ask)).sent.messages).toEqual([...HI, { role: 'assistant', content: 'a' }])
  })
})
