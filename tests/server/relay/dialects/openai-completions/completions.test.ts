import OpenAI, { APIError } from 'openai'
import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import type { Body } from '../../../../../server/relay/dialects/dialect.ts'
import { openaiCompletions } from '../../../../../server/relay/dialects/openai-completions/dialect.ts'
import { sendJson, startUpstream } from '../../../../support/hand-made-upstream.ts'
import { payloads, relayError, replyContext, writtenStream, writtenWhole } from '../../../../support/reply-context.ts'
import { sse, streamEvents } from '../../../../support/wire.ts'

const parse = (body: Body) => openaiCompletions.parse({ model: 'm', prompt: 'Once', ...body })
const asksUsage = replyContext({ body: { stream_options: { include_usage: true } } })
const REPLY: ReplyEvent[] = [
  { kind: 'reasoning', text: 'hm' },
  { kind: 'text', text: 'upon ' },
  { kind: 'text', text: 'a time' },
  { kind: 'stop', reason: 'length' },
  { kind: 'end' },
]

describe('a request', () => {
  test.each([{}, { prompt: '' }, { prompt: null }])('is checked for its prompt: %j', (body) => {
    expect(() => openaiCompletions.check(body)).toThrow('field prompt is required')
  })

  test.each(['max_tokens', 'n', 'best_of'])('is checked for %s', (field) => {
    expect(() => openaiCompletions.check({ prompt: 'a', [field]: -1 })).toThrow(
      `${field} must be a whole number from 0 to 1073741823`,
    )
  })

  test.each(['n', 'best_of'])('is rejected with more than 128 of %s', (field) => {
    expect(() => openaiCompletions.check({ prompt: 'a', [field]: 129 })).toThrow(`${field} must be at most 128`)
  })

  test('is limited by every generated choice, of every prompt', () => {
    const { limit } = openaiCompletions
    expect(limit({ prompt: 'a', max_tokens: 5 })).toEqual({ tokens: 5, choices: 1 })
    expect(limit({ prompt: 'a', n: 2, best_of: 3 })).toEqual({ tokens: undefined, choices: 3 })
    expect(limit({ prompt: ['a', 'b'], n: 2 })).toMatchObject({ choices: 4 })
    expect(limit({ prompt: [1, 2, 3] })).toMatchObject({ choices: 1 })
  })

  test('is measured by its prompt', () => {
    expect(openaiCompletions.prompt({ prompt: ['one', 'two'] }).texts).toEqual(['one', 'two'])
    expect(openaiCompletions.prompt({ prompt: [1, 2, 3] }).otherTokens).toBe(3)
  })

  test('starts with a system prompt', () => {
    const { withSystemPrompt } = openaiCompletions
    expect(withSystemPrompt({ prompt: 'a' }, 'P', { before: true })).toEqual({ prompt: 'P\n\na' })
    expect(withSystemPrompt({ prompt: ['a', 'b'] }, 'P', { before: false })).toEqual({ prompt: ['P\n\na', 'P\n\nb'] })
    expect(withSystemPrompt({ prompt: [1, 2] }, 'P', { before: false })).toEqual({ prompt: [1, 2] })
  })

  test('is a conversation of one turn', () => {
    expect(
      parse({ prompt: ['Once'], max_tokens: 5, temperature: 0, n: 2, stop: 'end', logit_bias: {}, stream: true }),
    ).toEqual({
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Once' }] }],
      tools: [],
      maxTokens: 5,
      temperature: 0,
      choices: 2,
      stop: ['end'],
      extras: { logit_bias: {} },
    })
  })

  test('has log probabilities by number, including 0', () => {
    expect(parse({ logprobs: 3 })).toMatchObject({ logprobs: true, topLogprobs: 3 })
    expect(parse({ logprobs: 0 })).toMatchObject({ logprobs: true })
    expect(parse({ logprobs: 0 }).topLogprobs).toBeUndefined()
  })

  test.each([
    ['prompt has several texts', { prompt: ['a', 'b'] }],
    ['prompt must be a text', { prompt: [1, 2] }],
    ['prompt must be a text', { prompt: [[1, 2]] }],
    ['suffix is not supported', { suffix: 'end' }],
    ['echo is not supported', { echo: true }],
    ['best_of is not supported', { best_of: 2 }],
  ])('is rejected if a conversation does not support it: %s', (words, body) => {
    expect(() => parse(body)).toThrow(words)
  })

  test('is accepted with explicit defaults', () => {
    expect(() => parse({ suffix: '', echo: false, best_of: 2, n: 2 })).not.toThrow()
    expect(() => parse({ suffix: null, best_of: 1 })).not.toThrow()
  })
})

describe('a reply', () => {
  test('has its text, and no reasoning', () => {
    expect(writtenWhole(openaiCompletions, REPLY)).toEqual({
      id: 'cmpl-req1',
      object: 'text_completion',
      created: 1_700_000_000,
      model: 'asked-model',
      choices: [{ text: 'upon a time', index: 0, logprobs: null, finish_reason: 'length' }],
      usage: { prompt_tokens: 20, completion_tokens: 12, total_tokens: 32 },
    })
  })

  test.each([
    ['stop', 'stop'],
    ['tools', 'stop'],
    ['filter', 'content_filter'],
  ] as const)('that stopped for %s has %s', (reason, finish_reason) => {
    const stop: ReplyEvent = { kind: 'stop', reason }
    expect(writtenWhole(openaiCompletions, [stop]).choices).toMatchObject([{ finish_reason }])
    expect(payloads(writtenStream(openaiCompletions, [stop])).at(-1)?.choices).toMatchObject([{ finish_reason }])
  })

  test('is streamed in chunks, with one finish reason per choice, and [DONE]', () => {
    const second: ReplyEvent[] = [
      { kind: 'text', text: 'two', choice: 1 },
      { kind: 'stop', reason: 'stop', choice: 1 },
    ]
    const wire = writtenStream(openaiCompletions, [...REPLY, ...second])
    const chunks = payloads(wire)
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ text: 'upon ', index: 0, logprobs: null, finish_reason: null }],
      [{ text: 'a time', index: 0, logprobs: null, finish_reason: null }],
      [{ text: 'two', index: 1, logprobs: null, finish_reason: null }],
      [{ text: '', index: 0, logprobs: null, finish_reason: 'length' }],
      [{ text: '', index: 1, logprobs: null, finish_reason: 'stop' }],
    ])
    expect(chunks[0]).toMatchObject({ id: 'cmpl-req1', object: 'text_completion', model: 'asked-model' })
    expect(chunks[0]).not.toHaveProperty('usage')
    expect(wire.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('has its usage on request', () => {
    const chunks = payloads(writtenStream(openaiCompletions, REPLY, { context: asksUsage }))
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 32 } })
  })

  test('has log probabilities in the legacy format', () => {
    const content = [
      {
        token: 'a',
        logprob: -1,
        top_logprobs: [
          { token: 'a', logprob: -1 },
          { token: 'b', logprob: -2 },
        ],
      },
      { token: 'bc', logprob: -3 },
    ]
    const events: ReplyEvent[] = [
      { kind: 'text', text: 'abc' },
      { kind: 'logprobs', logprobs: { content } },
    ]
    const expected = {
      tokens: ['a', 'bc'],
      token_logprobs: [-1, -3],
      top_logprobs: [{ a: -1, b: -2 }, {}],
      text_offset: [0, 1],
    }
    expect(writtenWhole(openaiCompletions, events).choices).toMatchObject([{ logprobs: expected }])
    const twice = payloads(writtenStream(openaiCompletions, [...events, ...events]))
    expect(twice[3]?.choices).toMatchObject([{ logprobs: { ...expected, text_offset: [3, 4] } }])
  })
})

describe('a native stream', () => {
  const chunk = (more: object) => ({ id: 'cmpl-1', object: 'text_completion', model: 'theirs', choices: [], ...more })
  const words = chunk({ choices: [{ text: 'a', index: 0 }] })
  const used = chunk({ usage: { prompt_tokens: 1, completion_tokens: 1 } })
  const passed = (wire: string, context = replyContext()) => {
    const forwarder = openaiCompletions.forwarder(context)
    return streamEvents(wire)
      .map((event) => String(forwarder.forward(event) ?? ''))
      .join('')
  }

  test('is forwarded unchanged, without usage that was not requested', () => {
    expect(passed(sse(words, used))).toBe(sse(words))
    expect(passed(sse(words, used), asksUsage)).toBe(sse(words, used))
  })

  test('has the requested name of a mapped model', () => {
    expect(payloads(passed(sse(words), replyContext({ renamesModel: true })))).toMatchObject([{ model: 'asked-model' }])
  })

  test('ends with the usage that the upstream omitted, and [DONE]', () => {
    const done = 'data: [DONE]\n\n'
    expect(openaiCompletions.forwarder(replyContext()).end(plainUsage(1, 1))).toBe(done)
    expect(openaiCompletions.forwarder(asksUsage).end(undefined)).toBe(done)
    const wire = openaiCompletions.forwarder(asksUsage).end(plainUsage(1, 2))
    expect(payloads(wire)).toMatchObject([{ object: 'text_completion', choices: [], usage: { total_tokens: 3 } }])
  })
})

describe("OpenAI's own client", () => {
  const clientFor = async (wire: string) => {
    const { url } = await startUpstream(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(wire)
    })
    return new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
  }
  const REQUEST = { model: 'asked-model', prompt: 'Once' }

  test('reads a stream', async () => {
    const client = await clientFor(writtenStream(openaiCompletions, REPLY, { context: asksUsage }))
    let text = ''
    let finish: string | undefined
    let total: number | undefined
    for await (const chunk of await client.completions.create({ ...REQUEST, stream: true })) {
      text += chunk.choices[0]?.text ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
      total = chunk.usage?.total_tokens
    }
    expect({ text, finish, total }).toEqual({ text: 'upon a time', finish: 'length', total: 32 })
  })

  test('throws when a stream breaks off', async () => {
    const writer = openaiCompletions.writer(replyContext())
    const client = await clientFor(writer.write({ kind: 'text', text: 'half' }) + writer.interrupted(relayError()))
    const texts: string[] = []
    const reading = (async () => {
      for await (const { choices } of await client.completions.create({ ...REQUEST, stream: true }))
        texts.push(choices[0]?.text ?? '')
    })()
    await expect(reading).rejects.toThrow(APIError)
    expect(texts).toEqual(['half'])
  })

  test('reads a whole reply', async () => {
    const { url } = await startUpstream((exchange) => sendJson(exchange, writtenWhole(openaiCompletions, REPLY)))
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
    const completion = await client.completions.create(REQUEST)
    expect(completion.choices[0]?.text).toBe('upon a time')
    expect(completion.usage?.total_tokens).toBe(32)
  })
})
