import { createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { expectNothingHeld } from '../../support/books.ts'
import { ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, MODEL, openTestGateway, type Settings, setPrices } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
  event,
  say,
  sendJson,
  startStream,
  startUpstream,
  usage,
} from '../../support/hand-made-upstream.ts'
import { shared, whenDone } from '../../support/lifetime.ts'
import { onBoth } from '../../support/toolkit.ts'

const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const fails =
  (status: number, error: object = { message: `failed with ${status}` }, headers = {}) =>
  (exchange: Exchange) =>
    sendJson(exchange, { error }, status, headers)
const OTHER = 'other-model'
/** The machine may be busy. */
const PATIENTLY = { timeout: 10_000 }

const openPriced = async (options: Parameters<typeof openTestGateway>[0] = {}) => {
  const world = await openTestGateway(options)
  await setPrices(world, { [OTHER]: 1 })
  return world
}
const gateway = shared(openPriced)

/** A customer without channels; those that a test makes are gone when it ends. `own`: a gateway of its own. */
async function open({
  retries = 0,
  disabling = false,
  own,
}: {
  retries?: number
  disabling?: boolean
  own?: { settings?: Settings; database?: 'postgres' }
} = {}) {
  const world = own ? await openPriced(own) : gateway()
  const { toolkit, root } = world
  await toolkit.options.set(root, 'RetryTimes', String(retries))
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', String(disabling))
  const { key } = await customer(world, { user: { quota: 1e9 } })
  // However busy the machine, nothing is probed before a test says so.
  skip(0)
  const chat = (model = MODEL, more: object = {}) => post({ url: world.url, key, body: ask(model), ...more })
  const channel = async (fields: Partial<NewChannel>) => {
    const created = await world.channel(fields)
    if (!own) whenDone(() => toolkit.channels.delete(root, created.id))
    return created
  }
  return {
    ...world,
    channel,
    key,
    chat,
    /** Asks one after the other; answers the statuses. */
    async times(count: number, model = MODEL) {
      const statuses: number[] = []
      for (let turn = 0; turn < count; turn++) statuses.push((await chat(model)).status)
      return statuses
    },
    /** A channel to an upstream of its own, whose answer can be changed. */
    async served(answer: (exchange: Exchange) => unknown, fields: Partial<NewChannel> = {}) {
      const now = { answer }
      const upstream = await startUpstream((exchange) => now.answer(exchange))
      const { id } = await channel({ base_url: upstream.url, models: MODEL, key: 'sk-bad-key', ...fields })
      return { id, now, seen: upstream.seen, url: upstream.url }
    },
    status: async (id: number) => (await world.toolkit.channels.get(world.root, id)).status,
    health: (id: number) => world.toolkit.channels.healthOf(world.root, id),
  }
}

/** Lets so much time go by for whoever asks what time it is; then it stands still. */
function skip(ms: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}
afterEach(() => void vi.useRealTimers())

describe('a channel with a bad key', () => {
  test('is out after five requests, and back with the first probe after its repair', async () => {
    const world = await open()
    const { id, now, seen } = await world.served(fails(401, { message: 'Incorrect API key sk-bad-key' }))

    expect(await world.times(7)).toEqual([401, 401, 401, 401, 401, 503, 503])
    expect(seen).toHaveLength(5)
    now.answer = works
    skip(2000)
    expect(await world.times(2)).toEqual([200, 200])
    expect(await world.status(id)).toBe(1)
    await expect
      .poll(async () => (await world.health(id)).events.map((happened) => happened.event), PATIENTLY)
      .toEqual(['closed', 'opened'])
    expect((await world.health(id)).events[1]).toMatchObject({
      scope: 'channel',
      class: 'account',
      reason: 'status code 401: Incorrect API key ***',
    })
  })

  onBoth('is disabled once, with its reason, where the operator wants that', (_, database) => {
    test('however many requests find it out at the same time', async () => {
      const world = await open({ disabling: true, ...(database === 'postgres' && { own: { database } }) })
      const { id, now } = await world.served(fails(401, { message: 'Incorrect API key' }))
      const spared = await world.served(fails(401), { models: OTHER, auto_ban: 0 })

      await Promise.all(Array.from({ length: 30 }, () => world.chat()))
      await world.times(6, OTHER)
      await expect.poll(() => world.status(id), PATIENTLY).toBe(3)

      const { events, disabled, circuits } = await world.health(id)
      expect(events.filter((happened) => happened.event === 'disabled')).toMatchObject([
        { class: 'automatic', reason: 'status code 401: Incorrect API key' },
      ])
      expect(disabled).toMatchObject({ status: 3, reason: 'status code 401: Incorrect API key' })
      expect(circuits).toEqual([])
      expect(await world.status(spared.id)).toBe(1)
      // Whoever brings it back need not wait for a probe.
      now.answer = works
      await world.toolkit.channels.enableAutomatically(world.root, id)
      expect(await world.times(1)).toEqual([200])
    })
  })

  test('that was disabled by hand stays so, and what was under way changes nothing', async () => {
    const world = await open({ disabling: true })
    const gate: (() => void)[] = []
    const { id } = await world.served(async (exchange) => {
      await new Promise<void>((resolve) => gate.push(resolve))
      fails(401)(exchange)
    })
    const under = Promise.all(Array.from({ length: 8 }, () => world.chat()))
    await expect.poll(() => gate.length, PATIENTLY).toBe(8)
    await world.toolkit.channels.setStatus(world.root, id, 2)
    for (const go of gate) go()
    await under
    expect(await world.status(id)).toBe(2)
    expect((await world.health(id)).events).toMatchObject([{ event: 'disabled', class: 'manual' }])
  })
})

test('one bad model on a channel disables nothing and costs the others nothing', async () => {
  const world = await open({ disabling: true })
  const { id, seen } = await world.served(
    (exchange) => (exchange.body.model === OTHER ? fails(404, { code: 'model_not_found' })(exchange) : works(exchange)),
    { models: `${MODEL},${OTHER}` },
  )
  for (let turn = 0; turn < 10; turn++) await Promise.all([world.chat(), world.chat(OTHER)])

  expect(await world.status(id)).toBe(1)
  expect(seen.filter(({ body }) => body.model === OTHER).length).toBeLessThanOrEqual(4)
  expect(seen.filter(({ body }) => body.model === MODEL)).toHaveLength(10)
  const answer = await world.chat(OTHER)
  expectRefusal(answer, { status: 503, code: 'channels_unhealthy' })
  expect(answer.headers.get('retry-after')).toMatch(/^[12]$/)
  expect(answer.json.error?.message).toMatch(
    /^No channel for model other-model is healthy at the moment\. Try again in [12] s/,
  )
  await expectNothingHeld(world)
})

describe('an upstream that is dead', () => {
  test.each([
    ['answers 500', fails(500)],
    ['hangs up', ({ response }: Exchange) => response.destroy()],
    ['sends garbage', (exchange: Exchange) => sendJson(exchange, 'garbage')],
  ])('and %s sees less than 1.2 attempts for each request, and soon next to none', async (_, answer) => {
    const world = await open({ retries: 5 })
    const dead = await world.served(answer, { priority: 9 })
    // More channels that lead to the same host, each with circuits of its own.
    for (let more = 0; more < 4; more++) {
      await world.channel({ base_url: dead.url, models: MODEL, priority: 9, key: `sk-${more}` })
    }
    await world.served(works)

    const batch = async () => (await Promise.all(Array.from({ length: 10 }, () => world.times(3)))).flat()
    expect(new Set(await batch())).toEqual(new Set([200]))
    // One for each request, ten retries, and one more for ten requests.
    expect(dead.seen.length).toBeLessThanOrEqual(30 + 10 + 3)
    const before = dead.seen.length
    expect(new Set(await batch())).toEqual(new Set([200]))
    expect(dead.seen.length - before).toBeLessThan(25)
    expect(dead.seen.length).toBeLessThan(1.2 * 60)
  })

  test('that nobody reaches is asked five times, then everybody is told at once', async () => {
    const world = await open()
    const port = await closedPort()
    const { id } = await world.channel({ base_url: `http://127.0.0.1:${port}`, models: `${MODEL},${OTHER}` })

    expect(await world.times(6)).toEqual([502, 502, 502, 502, 502, 503])
    // Whatever is asked of it.
    expect(await world.times(1, OTHER)).toEqual([503])
    await expect
      .poll(async () => (await world.health(id)).circuits, PATIENTLY)
      .toMatchObject([{ scope: 'channel', subject: '', class: 'unreachable', state: 'open' }])
  })

  test('from its first token on, each time, is out after ten; clients that leave are no fault of it', async () => {
    const world = await open()
    const stalls = async (exchange: Exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('hello')))
    }
    const { now, seen } = await world.served(stalls)
    const stream = { body: { ...ask(MODEL), stream: true } }
    for (let turn = 0; turn < 12; turn++) {
      const leaving = new AbortController()
      const asked = world.chat(MODEL, { ...stream, signal: leaving.signal }).catch(() => undefined)
      await expect.poll(() => seen.length, { ...PATIENTLY, interval: 5 }).toBe(turn + 1)
      leaving.abort()
      await asked
    }
    now.answer = async (exchange) => {
      await stalls(exchange)
      setTimeout(() => exchange.response.destroy(), 5)
    }
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn++) statuses.push((await world.chat(MODEL, stream)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 503])
  })
})

test('an upstream without a first token in time is left for another channel, and after ten times not asked', async () => {
  const world = await open({ retries: 1, own: { settings: { FIRST_TOKEN_TIMEOUT: '1' } } })
  const slow = await world.served(() => {}, { priority: 9 })
  await world.served((exchange) => {
    startStream(exchange)
    exchange.response.end([say('hello'), '[DONE]'].map(event).join(''))
  })
  const stream = () => world.chat(MODEL, { body: { ...ask(MODEL), stream: true } })
  for (const { said } of await Promise.all(Array.from({ length: 10 }, stream))) expect(said).toBe('hello')
  expect(await stream()).toMatchObject({ said: 'hello' })
  expect(slow.seen).toHaveLength(10)
  await expect
    .poll(async () => (await world.health(slow.id)).circuits, PATIENTLY)
    .toMatchObject([{ scope: 'model', subject: `${MODEL} (openai-chat)`, class: 'server' }])
})

describe('a rate limit', () => {
  test('with a time is kept: nobody asks before, and every client is told in its own words and language', async () => {
    const world = await open()
    const { seen } = await world.served(fails(429, { message: 'org-12 is limited' }, { 'retry-after': '7' }))

    const first = await world.chat(MODEL, { headers: { 'accept-language': 'zh' } })
    expect(first).toMatchObject({ status: 429 })
    expect(first.headers.get('retry-after')).toBe('7')
    expect(first.json.error?.message).toMatch(/^当前分组上游负载已饱和，请稍后再试 \(request id: /)

    const chat = await world.chat()
    expectRefusal(chat, { status: 429, code: 'channels_limited' })
    const messages = await world.chat(MODEL, { path: '/v1/messages', body: { ...ask(MODEL), max_tokens: 5 } })
    expect(messages.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    const gemini = await world.chat(MODEL, {
      path: `/v1beta/models/${MODEL}:generateContent`,
      body: { contents: [{ parts: [{ text: 'hi' }] }] },
    })
    expect(gemini.json).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
    for (const { status, headers } of [chat, messages, gemini]) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(4)
    }
    expect(seen).toHaveLength(1)

    skip(8000)
    expect(await world.times(1)).toEqual([429])
    expect(seen).toHaveLength(2)
  })

  test('of one channel sends requests to the next, and an administrator who insists is not kept away', async () => {
    const world = await open({ retries: 1 })
    const limited = await world.served(fails(429, {}, { 'retry-after': '60' }), { priority: 9 })
    await world.served(works)
    expect(await world.times(5)).toEqual(Array(5).fill(200))
    expect(limited.seen).toHaveLength(1)

    const admin = await customer(world, { user: { role: ROLE.admin } })
    const pinned = () => post({ url: world.url, key: `${admin.key}-${limited.id}`, body: ask(MODEL) })
    expect((await pinned()).status).toBe(429)
    limited.now.answer = works
    expect((await pinned()).status).toBe(200)
    expect(limited.seen).toHaveLength(3)
    // What he found out is known to all.
    await world.times(1)
    expect(limited.seen).toHaveLength(4)
  })
})

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
