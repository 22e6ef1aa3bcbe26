import { describe, expect, test } from 'vitest'
import { parseObject } from '../../../../../core/input.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import { ollamaReader } from '../../../../../server/relay/providers/ollama/chat-reader.ts'
import { chatAsk, conversationOf, planned } from '../../../../support/plan.ts'

const OLLAMA = 4
const HI = [{ role: 'user', content: 'hi' }]
const PNG = { data: Buffer.from('png'), mime: 'image/png' }
const context = { download: async () => PNG }

describe("in OpenAI's format", () => {
  test('it gets the client’s bytes', async () => {
    const { url, isRaw, headers, plan } = await planned(OLLAMA, chatAsk({ model: 'm', messages: HI }), {
      channel: { key: '' },
    })
    expect({ url, isRaw, native: plan.native }).toEqual({
      ...{ url: 'http://localhost:11434/v1/chat/completions', isRaw: true, native: true },
    })
    expect(headers).not.toHaveProperty('authorization')
  })

  test('images with a URL are included as bytes, and the reply is still forwarded unchanged', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }]
    const conversation = conversationOf({
      turns: [{ role: 'user', parts: [{ kind: 'image', media: { url: 'https://x.example/a.png' } }] }],
    })
    const ask = { ...chatAsk({ model: 'm', messages: [{ role: 'user', content }] }), conversation }
    const { sent, plan } = await planned(OLLAMA, ask, { context })
    expect(sent.messages).toEqual([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } }] },
    ])
    expect(plan.native).toBe(true)
  })

  test('completions are forwarded', async () => {
    const ask = { dialect: 'openai-completions', model: 'm', body: { model: 'm', prompt: 'p' } } as const
    expect(await planned(OLLAMA, ask)).toMatchObject({ url: 'http://localhost:11434/v1/completions', isRaw: true })
  })
})

describe('in its own format', () => {
  test.each([
    [{ effort: 'none' as const }, false],
    [{ effort: 'minimal' as const }, 'low'],
    [{ effort: 'medium' as const }, 'medium'],
    [{ effort: 'max' as const }, 'high'],
    [{ budget: 9000 }, 'high'],
    [{ visible: true }, true],
  ])('thinking is set for %j', async (reasoning, think) => {
    const { url, sent } = await planned(OLLAMA, {
      dialect: 'anthropic-messages',
      model: 'm',
      conversation: conversationOf({ reasoning }),
    })
    expect(url).toBe('http://localhost:11434/api/chat')
    expect(sent).toEqual({ model: 'm', messages: HI, stream: false, think })
  })

  test('all fields have its own names', async () => {
    const call = { kind: 'call', id: 'c', name: 'look', arguments: '{"a":1}' } as const
    const conversation = conversationOf({
      turns: [
        { role: 'system', parts: [{ kind: 'text', text: 's' }] },
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'a' },
            { kind: 'image', media: { url: 'https://x.example/a.png' } },
          ],
        },
        { role: 'assistant', parts: [{ kind: 'reasoning', text: 'hm' }, call] },
        { role: 'user', parts: [{ kind: 'result', callId: 'c', parts: [{ kind: 'text', text: 'r' }] }] },
      ],
      tools: [{ name: 'look', parameters: { type: 'object', properties: { a: {} } } }],
      format: { kind: 'schema', name: 'o', schema: { type: 'object' } },
      ...{ maxTokens: 0, temperature: 0, topP: 0.5, topK: 3, seed: 0, stop: ['x'] },
      extras: { options: { num_ctx: 4096 }, keep_alive: '5m', think: true },
    })
    const ask = { ...chatAsk({ model: 'm', messages: HI, think: true, stream: true }), conversation }
    const { sent, plan } = await planned(OLLAMA, ask, { context })
    expect(sent).toEqual({
      model: 'm',
      stream: true,
      think: true,
      keep_alive: '5m',
      format: { type: 'object' },
      options: { num_predict: 0, temperature: 0, top_p: 0.5, top_k: 3, seed: 0, stop: ['x'], num_ctx: 4096 },
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: { a: {} } } } }],
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a', images: ['cG5n'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ function: { name: 'look', arguments: { a: 1 } } }],
        },
        { role: 'tool', content: 'r', tool_name: 'look' },
      ],
    })
    expect(plan).toMatchObject({ framing: 'ndjson' })
    expect(plan.native).toBeFalsy()
  })

  test('a custom tool is sent as a function, and the text of its call is the argument', async () => {
    const conversation = conversationOf({ tools: [{ name: 'patch', custom: {} }], reasoning: { effort: 'low' } })
    const { sent, plan } = await planned(OLLAMA, { dialect: 'openai-responses', model: 'm', conversation })
    const tool_calls = [{ function: { name: 'patch', arguments: { input: '*** Begin' } } }]
    const reply = { message: { role: 'assistant', content: '', tool_calls }, done: true, done_reason: 'stop' }
    const [call, args] = plan.reader?.whole(reply).filter(({ kind }) => kind === 'call' || kind === 'arguments') ?? []

    expect(sent.tools).toMatchObject([{ type: 'function', function: { name: 'patch' } }])
    expect(call).toMatchObject({ kind: 'call', name: 'patch', custom: true })
    expect(args).toMatchObject({ kind: 'arguments', text: '*** Begin' })
  })

  test('tools that must not be called are dropped', async () => {
    const conversation = conversationOf({
      tools: [{ name: 'f' }],
      toolChoice: { mode: 'none' },
      reasoning: { effort: 'low' },
    })
    expect((await planned(OLLAMA, { dialect: 'gemini', conversation })).sent).not.toHaveProperty('tools')
  })

  test('probabilities are requested, and read in the format of chat completions', async () => {
    const conversation = conversationOf({ logprobs: true, topLogprobs: 2, reasoning: { effort: 'low' } })
    const { sent, plan } = await planned(OLLAMA, { ...chatAsk({ reasoning_effort: 'low' }), conversation })
    expect(sent).toMatchObject({ logprobs: true, top_logprobs: 2 })
    const message = { role: 'assistant', content: 'hi' }
    const logprobs = [{ token: 'hi', logprob: -0.5, bytes: [104, 105] }]
    const events = plan.reader?.whole({ message, logprobs, done: true }) ?? []
    const content = [{ ...logprobs[0], top_logprobs: [] }]
    expect(events).toContainEqual({ kind: 'logprobs', logprobs: { content, refusal: null } })
  })

  test.each([
    ['n', chatAsk({ messages: HI, n: 2 })],
    ['n', { ...chatAsk({ messages: HI, reasoning_effort: 'low' }), conversation: conversationOf({ choices: 2 }) }],
    [
      'generationConfig.candidateCount',
      { dialect: 'gemini', conversation: conversationOf({ client: 'gemini', choices: 2 }) } as const,
    ],
  ])('several replies are rejected with %s, because Ollama returns one', async (field, ask) => {
    await expect(planned(OLLAMA, ask)).rejects.toMatchObject({ params: { param: field } })
  })

  test('unsupported content is rejected by name', async () => {
    const conversation = conversationOf({
      turns: [{ role: 'user', parts: [{ kind: 'audio', data: 'x', format: 'wav' }] }],
      reasoning: { effort: 'low' },
    })
    await expect(planned(OLLAMA, { dialect: 'gemini', conversation })).rejects.toMatchObject({
      code: 'REQUEST_MALFORMED',
      params: { reason: expect.stringContaining('input_audio') },
    })
  })
})

describe('its replies', () => {
  const lines = (wire: string) => {
    const reader = ollamaReader()
    return wire
      .trim()
      .split('\n')
      .flatMap((data) =>
        reader.event({ bytes: Buffer.from(data), data, name: '', done: false, payload: parseObject(data) }),
      )
  }
  const END = { done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 9 }

  test('are read line by line: reasoning, text, calls with generated ids, usage', () => {
    const reply = collect(
      lines(`{"model":"q","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}
{"model":"q","message":{"content":"yes"},"done":false}
{"model":"q","message":{"content":"","tool_calls":[{"function":{"name":"look","arguments":{"a":1}}},{"function":{"name":"look","arguments":{}}}]},"done":false}
${JSON.stringify({ model: 'q', message: { content: '' }, ...END })}`),
    )
    expect(reply).toMatchObject({
      model: 'q',
      usage: { promptTokens: 7, completionTokens: 9 },
      choices: [
        {
          text: 'yes',
          reasoning: [{ text: 'hm' }],
          calls: [
            { name: 'look', arguments: '{"a":1}' },
            { name: 'look', arguments: '{}' },
          ],
          stop: 'tools',
        },
      ],
    })
    const ids = reply.choices[0]?.calls.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(2)
  })

  test.each([
    ['stop', 'stop'],
    ['load', 'stop'],
    ['length', 'length'],
  ])('%s means %s', (done_reason, reason) => {
    const events = ollamaReader().whole({ model: 'q', message: { content: 'a' }, ...END, done_reason })
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'stop', 'usage', 'end'])
    expect(events).toContainEqual({ kind: 'stop', reason })
  })

  test('a cached prompt counts as zero', () => {
    const { prompt_eval_count: _, ...rest } = END
    expect(collect(ollamaReader().whole({ message: { content: 'a' }, ...rest })).usage).toMatchObject({
      promptTokens: 0,
      completionTokens: 9,
    })
  })

  test('an error is reported', () => {
    expect(lines('{"error":"model \'x\' not found"}')).toMatchObject([
      { kind: 'error', error: { message: "model 'x' not found" } },
    ])
  })
})

describe('embeddings', () => {
  test('are requested at its own path, with one result per input, in order', async () => {
    const body = { model: 'm', input: ['a', 'b'], dimensions: 2, user: 'u' }
    const { url, sent, plan } = await planned(OLLAMA, { operation: 'embeddings', model: 'm', body })
    expect({ url, sent }).toEqual({
      url: 'http://localhost:11434/api/embed',
      sent: { model: 'm', input: ['a', 'b'], dimensions: 2 },
    })
    expect(plan.convert?.({ model: 'm', embeddings: [[1], [2]], prompt_eval_count: 4 })).toMatchObject({
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [2] },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    })
  })

  test('are base64 on request', async () => {
    const body = { model: 'm', input: 'a', encoding_format: 'base64' }
    const { plan } = await planned(OLLAMA, { operation: 'embeddings', model: 'm', body })
    expect(plan.convert?.({ embeddings: [[0.5, -1, 2.25]] })).toMatchObject({
      data: [{ embedding: 'AAAAPwAAgL8AABBA' }],
    })
  })

  test('of numbers instead of texts are rejected', async () => {
    const ask = { operation: 'embeddings', body: { input: [[1, 2]] } } as const
    await expect(planned(OLLAMA, ask)).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
  })
})
