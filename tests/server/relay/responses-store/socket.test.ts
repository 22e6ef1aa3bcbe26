import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { expectExactBooks, expectNothingHeld, untilCharged } from '../../../support/books.ts'
import { MODEL, openTestGateway, openTestRelay, priceOf, type TestRelay } from '../../../support/gateway.ts'
import {
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { whenDone } from '../../../support/lifetime.ts'
import { reusedRelay } from '../../../support/reused.ts'

const open = reusedRelay()
type Event = Record<string, unknown> & {
  type: string
  response?: { id: string; output: unknown[] }
  error?: Record<string, unknown>
}

const streamed = (exchange: Exchange) =>
  sendStream(exchange, [say('Hi '), say('there'), stopChunk(), usageChunk(usage(20, 12))])

/** A client whose events can be waited for. */
async function connect({ url, key }: TestRelay) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  })
  whenDone(async () => socket.terminate())
  const events: Event[] = []
  socket.on('message', (data) => events.push(JSON.parse(String(data))))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const until = async (type: string, count = 1): Promise<Event> => {
    await expect
      .poll(() => events.filter((one) => one.type === type).length, { timeout: 5000 })
      .toBeGreaterThanOrEqual(count)
    return events.filter((one) => one.type === type)[count - 1] as Event
  }
  const create = (body: object) => socket.send(JSON.stringify({ type: 'response.create', model: MODEL, ...body }))
  return { socket, events, until, create }
}

test('each turn over a websocket is its own stream, held and charged', async () => {
  const fixture = await open(streamed)
  const { create, until, events } = await connect(fixture)
  create({ input: 'one', store: false })
  const first = await until('response.completed')
  // Nothing is stored: the connection remembers it.
  create({ input: 'two', store: false, previous_response_id: first.response?.id })
  await until('response.completed', 2)
  expect(events[0]?.type).toBe('response.created')
  expect(events.map(({ delta }) => delta ?? '').join('')).toBe('Hi thereHi there')
  expect(fixture.upstream.seen[1]?.body.messages).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'Hi there' },
    { role: 'user', content: 'two' },
  ])
  expect(await fixture.toolkit.db.reader('stored_responses').select()).toEqual([])
  const logs = await expectExactBooks(fixture)
  expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12)])
  await expectNothingHeld(fixture)
})

test('a warm-up calls no model, and can be continued', async () => {
  const fixture = await open(streamed)
  const { create, until } = await connect(fixture)
  create({ input: 'context', generate: false })
  const warm = await until('response.completed')
  expect(fixture.upstream.seen).toEqual([])
  create({ input: 'one', previous_response_id: warm.response?.id })
  await until('response.completed', 2)
  expect(fixture.upstream.seen[0]?.body.messages).toEqual([
    { role: 'user', content: 'context' },
    { role: 'user', content: 'one' },
  ])
})

test('concurrent turns, garbage and other events are rejected, and the connection stays open', async () => {
  const fixture = await open((exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('slow')))
    setTimeout(() => exchange.response.end([stopChunk(), usageChunk(usage(20, 12))].map(event).join('')), 300)
  })
  const { create, until, socket, events } = await connect(fixture)
  socket.send('{')
  socket.send(Buffer.from([1, 2]))
  socket.send('{"type":"session.update"}')
  create({ input: 'one', background: true })
  await until('error', 4)
  create({ input: 'one' })
  await until('response.output_text.delta')
  create({ input: 'two' })
  expect(await until('error', 5)).toMatchObject({ status: 400, error: { code: 'response_in_progress' } })
  await until('response.completed')
  expect(fixture.upstream.seen).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'error').map(({ error }) => error?.param)).toEqual([
    null,
    null,
    'type',
    'background',
    null,
  ])
  create({ input: 'three' })
  await until('response.completed', 2)
  expect(await expectExactBooks(fixture)).toHaveLength(2)
})

test('a turn error is an event with its status', async () => {
  const fixture = await open((exchange) =>
    sendJson(exchange, { error: { message: 'No', type: 'invalid_request_error', code: 'bad' } }, 400),
  )
  const { create, until } = await connect(fixture)
  create({ input: 'one', model: 'no-such-model' })
  expect(await until('error')).toMatchObject({ status: 404, error: { code: 'model_not_found' } })
  create({ input: 'one' })
  expect(await until('error', 2)).toMatchObject({ status: 400, error: { message: expect.stringContaining('No') } })
  expect(await expectExactBooks(fixture)).toEqual([])
  await expectNothingHeld(fixture)
})

test('a client that disconnects pays the reported usage', async () => {
  let finish = () => {}
  const fixture = await open((exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('half')))
    // Reasoning that the client did not receive.
    finish = () => exchange.response.end(event(stopChunk()) + event(usageChunk(usage(20, 3000))) + DONE)
  })
  const { create, until, socket } = await connect(fixture)
  create({ input: 'one' })
  await until('response.output_text.delta')
  socket.terminate()
  setTimeout(finish, 200)
  expect((await untilCharged(fixture, 1))[0]).toMatchObject({ quota: priceOf(20, 3000) })
  await expectNothingHeld(fixture)
})

test('a rejected key gets 401 before the upgrade', async () => {
  const fixture = await open(streamed)
  await expect(connect({ ...fixture, key: 'sk-wrong' })).rejects.toThrow('401')
})

test('websockets per user are limited', async () => {
  const fixture = await open(streamed)
  const opened = await Promise.all(Array.from({ length: 50 }, () => connect(fixture)))
  await expect(connect(fixture)).rejects.toThrow('429')
  for (const { socket } of opened) socket.close()
  await expect
    .poll(() =>
      connect(fixture).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})

test('a connection ends after its idle time, not during a turn, and holds nothing', async () => {
  const fixture = await openTestRelay(
    (exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('slow')))
      setTimeout(() => exchange.response.end([stopChunk(), usageChunk(usage(20, 12))].map(event).join('') + DONE), 600)
    },
    { gateway: () => openTestGateway({ config: { websocketIdleMs: 300 } }) },
  )
  const closed = ({ socket }: Awaited<ReturnType<typeof connect>>) =>
    new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, String(reason)])))
  const silent = await connect(fixture)
  const working = await connect(fixture)
  const ends = [closed(silent), closed(working)]
  working.create({ input: 'one' })
  await working.until('response.completed')
  const end = [1000, 'idle for 0.3 seconds']
  expect(await Promise.all(ends)).toEqual([end, end])
  expect(await expectExactBooks(fixture)).toHaveLength(1)
  await expectNothingHeld(fixture)
})

test('a stopping gateway ends its websockets', async () => {
  const fixture = await openTestRelay(streamed)
  const { create, until, socket } = await connect(fixture)
  create({ input: 'one' })
  await until('response.completed')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await fixture.gateway.close()
  expect(await closed).toBe(1001)
})

test("an upstream's events may have CRLF and spaces, and the next turn continues them", async () => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
  const response = { id: 'resp_1', object: 'response', status: 'completed', store: false, output: [message] }
  const total = { input_tokens: 20, output_tokens: 12 }
  const fixture = await open(
    (exchange) => {
      const events = [
        { sequence_number: 0, type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { sequence_number: 1, response: { ...response, usage: total }, type: 'response.completed' },
      ]
      startStream(exchange)
      const lines = events.map(
        (one) => `event: ${one.type}\r\ndata:${JSON.stringify(one, null, 1).replaceAll('\n', '')}`,
      )
      exchange.response.end(lines.map((line) => `${line}\r\n\r\n`).join(''))
    },
    { channel: { setting: JSON.stringify({ dialects: ['openai-responses'] }) } },
  )
  const { create, until } = await connect(fixture)
  create({ input: 'one', store: false })
  const first = await until('response.completed')
  create({ input: 'two', store: false, previous_response_id: first.response?.id })
  await until('response.completed', 2)
  expect(fixture.upstream.seen[1]?.body.input).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'user' },
  ])
})
