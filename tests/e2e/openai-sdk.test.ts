import { LLMock } from '@copilotkit/aimock'
import OpenAI, { APIError } from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { expectExactBooks } from '../support/books.ts'
import { tokensOf } from '../support/count.ts'
import { countInEarnest } from '../support/counting.ts'
import { customer, openTestGateway, type TestGateway } from '../support/gateway.ts'

countInEarnest()

const CHAT = 'gpt-4o'
const EMBEDDING = 'text-embedding-3-small'
const COMPLETION = 'gpt-3.5-turbo-instruct'

/** Prices of our own: quota for a prompt token, and prompt tokens for a completion token. */
const RATIO = { [CHAT]: 1.25, [EMBEDDING]: 0.01, [COMPLETION]: 0.75 }
const COMPLETION_RATIO = { [CHAT]: 4, [COMPLETION]: 4 / 3 }

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const user = (content: string) => [{ role: 'user' as const, content }]

/** A gateway in front of a mock of OpenAI, and the official client as anybody sets it up. */
async function openShop() {
  const mock = new LLMock({ port: 0 })
  await mock.start()
  onTestFinished(() => mock.stop())
  mock.addFixtures([
    {
      match: { userMessage: 'hello' },
      response: { content: 'Hi there, friend!', usage: { prompt_tokens: 17, completion_tokens: 5, total_tokens: 22 } },
    },
    {
      match: { userMessage: 'weather here and there' },
      response: {
        toolCalls: [
          { id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
          { id: 'call_2', name: 'get_weather', arguments: '{"city":"Lima"}' },
        ],
        usage: { prompt_tokens: 60, completion_tokens: 32, total_tokens: 92 },
      },
    },
    {
      match: { userMessage: 'fail' },
      response: { error: { message: 'Overloaded', type: 'server_error' }, status: 503 },
    },
  ])
  const fixture = await openTestGateway()
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify(RATIO))
  await fixture.toolkit.options.set(fixture.root, 'CompletionRatio', JSON.stringify(COMPLETION_RATIO))
  await fixture.channel({ base_url: mock.url, models: `${CHAT},${EMBEDDING}` })
  // The mock does not know the older endpoint.
  const simulated = await startSimulatedUpstream()
  onTestFinished(() => simulated.close())
  await fixture.channel({ base_url: simulated.url, models: COMPLETION })
  const buyer = await customer(fixture)
  const client = new OpenAI({ apiKey: buyer.key, baseURL: `${fixture.url}/v1`, maxRetries: 0 })
  return { ...fixture, ...buyer, mock, client }
}

/** The last charge, when all books were found exact. */
async function lastCharge(fixture: TestGateway) {
  const log = (await expectExactBooks(fixture)).at(-1)
  if (!log) throw new Error('There is no charge')
  const { prompt_tokens, completion_tokens, quota, model_name, is_stream } = log
  return { prompt_tokens, completion_tokens, quota, model_name, is_stream }
}

const HELLO = { prompt_tokens: 17, completion_tokens: 5, model_name: CHAT }
/** 1.25 × (17 + 4 × 5) = 46.25, rounded. */
const HELLO_QUOTA = 46

describe('the official OpenAI client, unchanged, with the gateway', () => {
  test('chats', async () => {
    const shop = await openShop()

    const reply = await shop.client.chat.completions.create({ model: CHAT, messages: user('hello') })

    expect(reply.choices[0]?.message.content).toBe('Hi there, friend!')
    expect(reply.usage).toMatchObject({ prompt_tokens: 17, completion_tokens: 5, total_tokens: 22 })
    expect(await lastCharge(shop)).toEqual({ ...HELLO, quota: HELLO_QUOTA, is_stream: false })
    expect(await shop.balance(shop.person)).toBe(1_000_000 - HELLO_QUOTA)
  })

  test('streams a chat', async () => {
    const shop = await openShop()

    const stream = await shop.client.chat.completions.create({ model: CHAT, messages: user('hello'), stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''

    expect(text).toBe('Hi there, friend!')
    expect(await lastCharge(shop)).toEqual({ ...HELLO, quota: HELLO_QUOTA, is_stream: true })
  })

  test('streams a chat with usage, and reads it in the last chunk', async () => {
    const shop = await openShop()

    const stream = shop.client.chat.completions.stream({
      model: CHAT,
      messages: user('hello'),
      stream_options: { include_usage: true },
    })
    const whole = await stream.finalChatCompletion()

    expect(whole.choices[0]?.message.content).toBe('Hi there, friend!')
    expect(whole.usage).toMatchObject({ prompt_tokens: 17, completion_tokens: 5 })
    expect(await lastCharge(shop)).toEqual({ ...HELLO, quota: HELLO_QUOTA, is_stream: true })
  })

  test.each([false, true])('calls tools in parallel, stream: %s', async (stream) => {
    const shop = await openShop()
    const request = {
      model: CHAT,
      messages: user('weather here and there'),
      tools: [weather],
      parallel_tool_calls: true,
    }

    const { completions } = shop.client.chat
    const reply = stream
      ? await completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
      : await completions.create(request)

    const calls = reply.choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function)
    expect(calls).toMatchObject([
      { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { name: 'get_weather', arguments: '{"city":"Lima"}' },
    ])
    expect(reply.choices[0]?.finish_reason).toBe('tool_calls')
    // 1.25 × (60 + 4 × 32)
    expect(await lastCharge(shop)).toMatchObject({ prompt_tokens: 60, completion_tokens: 32, quota: 235 })
  })

  test('creates embeddings', async () => {
    const shop = await openShop()

    const input = ['one text', 'another, longer text']
    const reply = await shop.client.embeddings.create({ model: EMBEDDING, input })

    expect(reply.data.map(({ embedding }) => embedding.length > 0)).toEqual([true, true])
    // The mock reports no tokens: they are counted. A hundredth of a quota for each, and never nothing.
    const prompt_tokens = input.reduce((sum, text) => sum + tokensOf(text), 0)
    expect(await lastCharge(shop)).toMatchObject({ prompt_tokens, completion_tokens: 0, quota: 1 })
  })

  test('completes a text with the legacy endpoint', async () => {
    const shop = await openShop()

    const reply = await shop.client.completions.create({ model: COMPLETION, prompt: 'Once upon a time' })

    expect(reply.choices[0]?.text).not.toBe('')
    const { prompt_tokens = 0, completion_tokens = 0 } = reply.usage ?? {}
    const quota = Math.round(0.75 * (prompt_tokens + (4 / 3) * completion_tokens))
    expect(prompt_tokens * completion_tokens).toBeGreaterThan(0)
    expect(await lastCharge(shop)).toMatchObject({ model_name: COMPLETION, prompt_tokens, completion_tokens, quota })
  })

  test('streams a text with the legacy endpoint', async () => {
    const shop = await openShop()

    let text = ''
    const stream = await shop.client.completions.create({ model: COMPLETION, prompt: 'Once upon a time', stream: true })
    for await (const { choices } of stream) text += choices[0]?.text ?? ''

    expect(text).not.toBe('')
    expect((await lastCharge(shop)).completion_tokens).toBeGreaterThan(0)
  })

  test('lists the models, and finds one', async () => {
    const shop = await openShop()

    const models: string[] = []
    for await (const { id } of await shop.client.models.list()) models.push(id)

    expect(models).toEqual(Object.keys(RATIO).sort())
    expect(await shop.client.models.retrieve(CHAT)).toMatchObject({
      id: CHAT,
      object: 'model',
      owned_by: expect.any(String),
    })
    const missing = await shop.client.models.retrieve('no-such-model').catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('reads rejections and failures as OpenAI errors', async () => {
    const shop = await openShop()
    const failure = (messages: ReturnType<typeof user>, client = shop.client) =>
      client.chat.completions.create({ model: CHAT, messages }).catch((error: unknown) => error)

    const wrongKey = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${shop.url}/v1`, maxRetries: 0 })
    expect(await failure(user('hello'), wrongKey)).toBeInstanceOf(OpenAI.AuthenticationError)
    const overloaded = await failure(user('fail'))
    expect(overloaded).toBeInstanceOf(APIError)
    expect(overloaded).toMatchObject({
      status: 503,
      type: 'server_error',
      message: expect.stringContaining('Overloaded'),
    })
    expect(await expectExactBooks(shop)).toEqual([])
  })

  test('a hundred concurrent chats, streamed and whole: user, token and channel match the log exactly', async () => {
    const shop = await openShop()
    await shop.toolkit.accounts.setQuota(shop.root, shop.person.id, 1e9)
    const { completions } = shop.client.chat

    await Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        if (turn % 2 === 0) return completions.create({ model: CHAT, messages: user('hello') })
        for await (const _chunk of await completions.create({ model: CHAT, messages: user('hello'), stream: true }));
        return undefined
      }),
    )

    expect(await expectExactBooks(shop)).toHaveLength(100)
    expect(await shop.balance(shop.person)).toBe(1e9 - 100 * HELLO_QUOTA)
  })
})

describe('an upstream with random failures', () => {
  test('completes each relay and charges it once, or rejects it free of charge', async () => {
    const shop = await openShop()
    await shop.toolkit.accounts.setQuota(shop.root, shop.person.id, 1e9)
    shop.mock.setChaos({ dropRate: 0.2, malformedRate: 0.1, disconnectRate: 0.1 })

    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, () => shop.client.chat.completions.create({ model: CHAT, messages: user('hello') })),
    )

    const whole = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(whole.length).toBeGreaterThan(0)
    expect(whole.length).toBeLessThan(60)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(APIError)
    expect(await expectExactBooks(shop)).toHaveLength(whole.length)
  })
})
