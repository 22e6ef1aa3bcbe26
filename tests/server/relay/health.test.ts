import { createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { ChannelHealth } from '../../../core/channels/health/health.ts'
import { expectNothingHeld } from '../../support/books.ts'
import { ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, openTestGateway, setPrices } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  type Exchange,
  event,
  sendJson,
  startStream,
  startUpstream,
  usage,
} from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { onBoth } from '../../support/toolkit.ts'

const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const fails =
  (status: number, error: object = { message: `failed with ${status}` }, headers = {}) =>
  (exchange: Exchange) =>
    sendJson(exchange, { error }, status, headers)
/** A piece with a usage: nothing need be counted for it. */
const HELLO = chunk({ content: 'hello' }, null, { usage: usage(5, 5) })
/** The machine may be busy. */
const PATIENTLY = { timeout: 10_000 }
const MODELS = Array.from({ length: 40 }, (_, at) => `model-${at}`)
const USUAL = { RetryTimes: '0', AutomaticDisableChannelEnabled: 'false' }

async function openFixture(database: 'sqlite' | 'postgres' = 'sqlite') {
  const fixture = await openTestGateway({ database, config: { firstTokenTimeoutMs: 1000 } })
  await setPrices(fixture, Object.fromEntries(MODELS.map((model) => [model, 1])))
  const { key } = await customer(fixture, { user: { quota: 1e9 } })
  const set = { ...USUAL, RetryTimes: '' }
  let used = 0
  return {
    ...fixture,
    key,
    /** A model that no other test asks for, and so no channel but its own serves. */
    newModel: () => MODELS[used++] as string,
    /** Options as they usually are here, but for these. */
    async setOptions(options: Partial<typeof USUAL>) {
      for (const [name, value] of Object.entries({ ...USUAL, ...options })) {
        if (set[name as keyof typeof USUAL] === value) continue
        await fixture.toolkit.options.set(fixture.root, name, value)
        set[name as keyof typeof USUAL] = value
      }
    },
  }
}
const common = shared(() => openFixture())

/** What a test has of the gateway that all share: models, and channels for them, of its own. */
async function open({
  options = {},
  fixture = common(),
}: {
  options?: Partial<typeof USUAL>
  fixture?: Awaited<ReturnType<typeof openFixture>>
} = {}) {
  await fixture.setOptions(options)
  const [model, other] = [fixture.newModel(), fixture.newModel()]
  const { key } = fixture
  // However busy the machine, nothing is probed before a test says so.
  skip(0)
  const chat = (asked = model, more: object = {}) => post({ url: fixture.url, key, body: ask(asked), ...more })
  return {
    ...fixture,
    model,
    other,
    chat,
    /** Asks one after the other; answers the statuses. */
    async times(count: number, asked = model) {
      const statuses: number[] = []
      for (let turn = 0; turn < count; turn++) statuses.push((await chat(asked)).status)
      return statuses
    },
    /** A channel to an upstream of its own, whose answer can be changed. */
    async served(answer: (exchange: Exchange) => unknown, channel: Partial<NewChannel> = {}) {
      const now = { answer }
      const upstream = await startUpstream((exchange) => now.answer(exchange))
      const { id } = await fixture.channel({ base_url: upstream.url, models: model, key: 'sk-bad-key', ...channel })
      return { id, now, seen: upstream.seen, url: upstream.url }
    },
    status: async (id: number) => (await fixture.toolkit.channels.get(fixture.root, id)).status,
    health: (id: number) => fixture.toolkit.channels.healthOf(fixture.root, id),
  }
}

/** Advances the mocked clock by that time; then it does not move. */
function skip(ms: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}
afterEach(() => void vi.useRealTimers())

const DISABLING = { AutomaticDisableChannelEnabled: 'true' }

describe('a channel with a bad key', () => {
  test('is disabled after five requests, and enabled by the first probe after its repair', async () => {
    const fixture = await open()
    const { id, now, seen } = await fixture.served(fails(401, { message: 'Incorrect API key sk-bad-key' }))

    expect(await fixture.times(7)).toEqual([401, 401, 401, 401, 401, 503, 503])
    expect(seen).toHaveLength(5)
    now.answer = works
    skip(2000)
    expect(await fixture.times(2)).toEqual([200, 200])
    expect(await fixture.status(id)).toBe(1)
    await expect
      .poll(async () => (await fixture.health(id)).events.map((happened) => happened.event), PATIENTLY)
      .toEqual(['closed', 'opened'])
    expect((await fixture.health(id)).events[1]).toMatchObject({
      scope: 'channel',
      class: 'account',
      reason: 'status code 401: Incorrect API key ***',
    })
  })

  onBoth('is disabled once, with its reason, where the operator wants that', (_, database) => {
    test('is disabled once by any number of concurrent requests', async () => {
      const fixture = await open({
        options: DISABLING,
        ...(database === 'postgres' && { fixture: await openFixture(database) }),
      })
      // Databases differ in what characters they take.
      const { id, now } = await fixture.served(fails(401, { message: 'Incorrect\u0000API key' }))
      const spared = await fixture.served(fails(401), { models: fixture.other, auto_ban: 0 })

      await Promise.all(Array.from({ length: 30 }, () => fixture.chat()))
      await fixture.times(6, fixture.other)
      await expect.poll(() => fixture.status(id), PATIENTLY).toBe(3)

      await expect.poll(async () => (await fixture.health(id)).circuits, PATIENTLY).toEqual([])
      const { events, disabled } = await fixture.health(id)
      // What led to it comes first, and all that opened has its end.
      expect(events.map(({ event, reason }) => `${event}: ${reason}`).reverse()).toEqual([
        'opened: status code 401: Incorrect API key',
        'disabled: status code 401: Incorrect API key',
        'closed: forgotten after an edit',
      ])
      expect(events.find(({ event }) => event === 'disabled')).toMatchObject({ class: 'automatic' })
      expect(disabled).toMatchObject({ status: 3, reason: 'status code 401: Incorrect API key' })
      expect(await fixture.status(spared.id)).toBe(1)
      // Enabling it takes effect without a probe.
      now.answer = works
      await fixture.toolkit.channels.enableAutomatically(fixture.root, id)
      expect(await fixture.times(1)).toEqual([200])
    })
  })

  test('that was disabled by hand stays disabled, and running requests change nothing', async () => {
    const fixture = await open({ options: DISABLING })
    const gate: (() => void)[] = []
    const { id } = await fixture.served(async (exchange) => {
      await new Promise<void>((resolve) => gate.push(resolve))
      fails(401)(exchange)
    })
    const under = Promise.all(Array.from({ length: 8 }, () => fixture.chat()))
    await expect.poll(() => gate.length, PATIENTLY).toBe(8)
    await fixture.toolkit.channels.setStatus(fixture.root, id, 2)
    for (const go of gate) go()
    await under
    expect(await fixture.status(id)).toBe(2)
    expect((await fixture.health(id)).events).toMatchObject([{ event: 'disabled', class: 'manual' }])
  })
})

test('one failing model of a channel disables nothing and costs the others nothing', async () => {
  const fixture = await open({ options: DISABLING })
  const { id, seen } = await fixture.served(
    (exchange) =>
      exchange.body.model === fixture.other ? fails(404, { code: 'model_not_found' })(exchange) : works(exchange),
    { models: `${fixture.model},${fixture.other}` },
  )
  for (let turn = 0; turn < 10; turn++) await Promise.all([fixture.chat(), fixture.chat(fixture.other)])

  expect(await fixture.status(id)).toBe(1)
  expect(seen.filter(({ body }) => body.model === fixture.other).length).toBeLessThanOrEqual(4)
  expect(seen.filter(({ body }) => body.model === fixture.model)).toHaveLength(10)
  const answer = await fixture.chat(fixture.other)
  expectRefusal(answer, { status: 503, code: 'no_available_channel' })
  expect(answer.headers.get('retry-after')).toMatch(/^[12]$/)
  expect(answer.json.error?.message).toMatch(
    /^No channel for model model-\d+ is healthy at the moment\. Try again in [12] s/,
  )
  await expectNothingHeld(fixture)
})

describe('a dead upstream', () => {
  test.each([
    ['answers 500', fails(500)],
    ['hangs up', ({ response }: Exchange) => response.destroy()],
    ['sends garbage', (exchange: Exchange) => sendJson(exchange, 'garbage')],
  ])('with %s gets less than 1.2 attempts per request, and soon almost none', async (_, answer) => {
    const fixture = await open({ options: { RetryTimes: '5' } })
    const dead = await fixture.served(answer, { priority: 9 })
    // More channels that lead to the same host, each with circuits of its own.
    for (let more = 0; more < 4; more++) {
      await fixture.channel({ base_url: dead.url, models: fixture.model, priority: 9, key: `sk-${more}` })
    }
    await fixture.served(works)

    const batch = async () => (await Promise.all(Array.from({ length: 10 }, () => fixture.times(3)))).flat()
    expect(new Set(await batch())).toEqual(new Set([200]))
    // One for each request, ten retries, and one more for ten requests.
    expect(dead.seen.length).toBeLessThanOrEqual(30 + 10 + 3)
    const before = dead.seen.length
    expect(new Set(await batch())).toEqual(new Set([200]))
    expect(dead.seen.length - before).toBeLessThan(25)
    expect(dead.seen.length).toBeLessThan(1.2 * 60)
  })

  test('that is unreachable is tried five times, then all requests fail immediately', async () => {
    const fixture = await open()
    const port = await closedPort()
    const { id } = await fixture.channel({
      base_url: `http://127.0.0.1:${port}`,
      models: `${fixture.model},${fixture.other}`,
    })

    expect(await fixture.times(6)).toEqual([502, 502, 502, 502, 502, 503])
    // For other models too.
    expect(await fixture.times(1, fixture.other)).toEqual([503])
    await expect
      .poll(async () => (await fixture.health(id)).circuits, PATIENTLY)
      .toMatchObject([{ scope: 'channel', subject: '', class: 'unreachable', state: 'open' }])
  })

  test('that breaks after each first token is disabled after ten; client disconnects do not count', async () => {
    const fixture = await open()
    await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
    const stalls = async (exchange: Exchange) => {
      startStream(exchange)
      exchange.response.write(event(HELLO))
    }
    const { now, seen } = await fixture.served(stalls)
    const stream = { body: { ...ask(fixture.model), stream: true } }
    const leaving = new AbortController()
    const left = Array.from({ length: 3 }, () => fixture.chat(fixture.model, { ...stream, signal: leaving.signal }))
    const gone = Promise.allSettled(left)
    await expect.poll(() => seen.length, { ...PATIENTLY, interval: 5 }).toBe(3)
    leaving.abort()
    await gone
    await expect.poll(() => seen.every(({ whole }) => whole === false), { ...PATIENTLY, interval: 5 }).toBe(true)
    now.answer = async (exchange) => {
      await stalls(exchange)
      setTimeout(() => exchange.response.destroy(), 5)
    }
    // One after the other: had one of those that left counted, the tenth would not be asked for.
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn++) statuses.push((await fixture.chat(fixture.model, stream)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 503])
  })
})

test('that sends no first token in time is replaced by another channel, and skipped after ten times', async () => {
  const fixture = await open({ options: { RetryTimes: '1' } })
  const slow = await fixture.served(() => {}, { priority: 9 })
  await fixture.served((exchange) => {
    startStream(exchange)
    exchange.response.end([HELLO, '[DONE]'].map(event).join(''))
  })
  const stream = () => fixture.chat(fixture.model, { body: { ...ask(fixture.model), stream: true } })
  for (const { content } of await Promise.all(Array.from({ length: 10 }, stream))) expect(content).toBe('hello')
  expect(await stream()).toMatchObject({ content: 'hello' })
  expect(slow.seen).toHaveLength(10)
  await expect
    .poll(async () => (await fixture.health(slow.id)).circuits, PATIENTLY)
    .toMatchObject([{ scope: 'model', subject: `${fixture.model} (openai-chat)`, class: 'server' }])
})

describe('a rate limit', () => {
  test('with a time is respected: no request is sent before, and every client gets an error in its dialect and language', async () => {
    const fixture = await open()
    const { seen } = await fixture.served(fails(429, { message: 'org-12 is limited' }, { 'retry-after': '7' }))

    const first = await fixture.chat(fixture.model, { headers: { 'accept-language': 'zh' } })
    expect(first).toMatchObject({ status: 429 })
    expect(first.headers.get('retry-after')).toBe('7')
    expect(first.json.error?.message).toMatch(/^当前分组上游负载已饱和，请稍后再试 \(request id: /)

    const chat = await fixture.chat()
    expectRefusal(chat, { status: 429, code: 'channels_limited' })
    const messages = await fixture.chat(fixture.model, {
      path: '/v1/messages',
      body: { ...ask(fixture.model), max_tokens: 5 },
    })
    expect(messages.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    const gemini = await fixture.chat(fixture.model, {
      path: `/v1beta/models/${fixture.model}:generateContent`,
      body: { contents: [{ parts: [{ text: 'hi' }] }] },
    })
    expect(gemini.json).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
    for (const { status, headers } of [chat, messages, gemini]) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(4)
    }
    expect(seen).toHaveLength(1)

    // Rejected requests do not each check all channels: the clock does not move here.
    const looked = vi.spyOn(ChannelHealth.prototype, 'unavailability')
    expect(await fixture.times(20)).toEqual(Array(20).fill(429))
    expect(looked.mock.calls.length).toBeLessThanOrEqual(1)
    looked.mockRestore()

    skip(8000)
    expect(await fixture.times(1)).toEqual([429])
    expect(seen).toHaveLength(2)
  })

  test("of one channel redirects requests to the next, but not an administrator's pinned request", async () => {
    const fixture = await open({ options: { RetryTimes: '1' } })
    const limited = await fixture.served(fails(429, {}, { 'retry-after': '60' }), { priority: 9 })
    await fixture.served(works)
    expect(await fixture.times(5)).toEqual(Array(5).fill(200))
    expect(limited.seen).toHaveLength(1)

    const admin = await customer(fixture, { user: { role: ROLE.admin } })
    const pinned = () => post({ url: fixture.url, key: `${admin.key}-${limited.id}`, body: ask(fixture.model) })
    expect((await pinned()).status).toBe(429)
    limited.now.answer = works
    expect((await pinned()).status).toBe(200)
    expect(limited.seen).toHaveLength(3)
    // What he found out is known to all.
    await fixture.times(1)
    expect(limited.seen).toHaveLength(4)
  })
})

/** A port without a server. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
