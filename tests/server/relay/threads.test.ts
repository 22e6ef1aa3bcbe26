import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { expect, test } from 'vitest'
import { expectExactBooks } from '../../support/books.ts'
import { post } from '../../support/chat.ts'
import { MODEL, openTestRelay, priceOf, type RelayOptions, serve, type TestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { onBoth } from '../../support/toolkit.ts'

const clientOf = ({ url, key }: { url: string; key: string }) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })

onBoth('a message thread', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) =>
    openTestRelay(answer, {
      user: { quota: 100_000_000 },
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })

  test('with another upstream is sent in full, and never answered without its history', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const thread = clientOf(fixture).beta.messages.thread({ model: MODEL, max_tokens: 100 })
    await thread.send({ role: 'user', content: 'My name is Ann.' })
    await thread.send({ role: 'user', content: 'Who am I?' })
    await thread.send({ role: 'user', content: 'Sure?' })
    expect(fixture.upstream.seen.map(({ body }) => (body.messages as unknown[]).length)).toEqual([1, 3, 5])
    expect(fixture.upstream.seen[1]?.body).not.toHaveProperty('thread')
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12), priceOf(20, 12)])
  })

  test('of the tool runner completes with another upstream', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
    const fixture = await relay((exchange) => {
      const isAnswered = JSON.stringify(exchange.body).includes('sunny')
      const reply = completion(isAnswered ? 'It is sunny.' : '', usage(20, 12)) as { choices: { message: object }[] }
      if (!isAnswered)
        Object.assign(reply.choices[0] as object, {
          finish_reason: 'tool_calls',
          message: { role: 'assistant', content: null, tool_calls: [call] },
        })
      sendJson(exchange, reply)
    })
    const weather = betaTool({
      name: 'weather',
      description: 'The weather',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: () => 'sunny',
    })
    const final = await clientOf(fixture).beta.messages.toolRunner({
      model: MODEL,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'How is the weather?' }],
      tools: [weather],
    })
    expect(final.content).toMatchObject([{ type: 'text', text: 'It is sunny.' }])
    const { messages } = (fixture.upstream.seen.at(-1) as Exchange).body as { messages: { role: string }[] }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(await expectExactBooks(fixture)).toHaveLength(2)
  })

  /** Anthropic, which numbers its messages. */
  const claude = () => {
    let count = 0
    return (exchange: Exchange) => {
      count += 1
      sendJson(exchange, {
        id: `msg_${count}`,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 20, output_tokens: 12 },
      })
    }
  }

  test('continues at the account that started it', async () => {
    const fixture = await relay(claude(), { channel: { type: 14 } })
    // Another account, which a request may choose as well.
    const others: TestRelay['upstream']['seen'] = []
    const second = await relay((exchange) => {
      others.push(exchange)
      claude()(exchange)
    })
    const thread = clientOf(fixture).beta.messages.thread({ model: MODEL, max_tokens: 100 })
    await thread.send({ role: 'user', content: 'one' })
    await fixture.channel({ type: 14, base_url: second.upstream.url, models: MODEL, key: 'sk-second', priority: 10 })
    await fixture.toolkit.events.catchUp()
    await thread.send({ role: 'user', content: 'two' })
    expect(others).toEqual([])
    expect(fixture.upstream.seen[1]?.body).toMatchObject({
      thread: { type: 'continue', previous_message_id: 'msg_1' },
      messages: [{ role: 'user', content: 'two' }],
    })
    expect(fixture.upstream.seen[1]?.headers['anthropic-beta']).toContain('message-threads')
    expect(await expectExactBooks(fixture)).toHaveLength(2)
  })

  test('of another user is not found', async () => {
    const fixture = await relay(claude(), { channel: { type: 14 } })
    await clientOf(fixture)
      .beta.messages.thread({ model: MODEL, max_tokens: 100 })
      .send({ role: 'user', content: 'one' })
    const stranger = await fixture.token(await fixture.user({ quota: 100_000_000 }))
    const body = {
      model: MODEL,
      max_tokens: 100,
      thread: { type: 'continue', previous_message_id: 'msg_1' },
      messages: [],
    }
    const { status, json } = await post({ url: fixture.url, key: `sk-${stranger.key}`, path: '/v1/messages', body })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ type: 'invalid_request_error', details: { error_code: 'thread_not_found' } })
    expect(fixture.upstream.seen).toHaveLength(1)
  })

  test("keeps the upstream's content", async () => {
    const details = { error_code: 'thread_unsupported_request', unsupported: ['container'] }
    const error = { type: 'invalid_request_error', message: 'No', details: { ...details, inner: { secret: 'x' } } }
    const fixture = await relay((exchange) => sendJson(exchange, { type: 'error', error }, 400), {
      channel: { type: 14 },
    })
    const { json } = await post({
      ...fixture,
      path: '/v1/messages',
      body: { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'x' }] },
    })
    expect(json.error).toMatchObject({ details })
    expect(JSON.stringify(json)).not.toContain('secret')
  })
})
