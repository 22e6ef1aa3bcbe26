import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { NewLimit } from '../../../core/limits/limit.ts'
import { type Answer, ask, expectRefusal, post } from '../../support/chat.ts'
import { MODEL, type TestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()
const answerOk = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(9, 1)))

async function limit(world: TestRelay, limits: Partial<NewLimit> & Pick<NewLimit, 'measure' | 'period' | 'amount'>) {
  const subject = { subject: 'token', subject_id: String(world.bought.id) } as const
  const [made] = await world.toolkit.limits.set(world.root, [{ ...subject, ...limits }])
  return made as NonNullable<typeof made>
}

const DAY = { period: 'day', time_zone: 'Asia/Shanghai' } as const

describe('a request above a limit', () => {
  const MESSAGES = [{ role: 'user', content: 'hello' }]
  const CALLS = [
    { path: '/v1/chat/completions', body: ask(MODEL), error: { code: 'rate_limit_exceeded' } },
    { path: '/v1/responses', body: { model: MODEL, input: 'hello' }, error: { code: 'rate_limit_exceeded' } },
    {
      path: '/v1/messages',
      body: { model: MODEL, max_tokens: 5, messages: MESSAGES },
      error: { type: 'rate_limit_error' },
    },
    {
      path: `/v1beta/models/${MODEL}:generateContent`,
      body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
      error: { status: 'RESOURCE_EXHAUSTED' },
    },
  ]

  test.each(CALLS)('gets 429 in the dialect of $path, with limit, subject and reset', async ({ path, body, error }) => {
    const world = await openRelay(answerOk)
    const { id } = await limit(world, { measure: 'requests', amount: 1, ...DAY })
    const call = () => post({ url: world.url, key: world.key, path, body, headers: { 'accept-language': 'en' } })

    const first = await call()
    const refused = await call()

    expect(first.status).toBe(200)
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject(error)
    expect(refused.json.error?.message).toMatch(
      new RegExp(`Limit ${id} of API key ${world.bought.id} is reached: 1 requests per day \\(Asia/Shanghai\\)`),
    )
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const name = path === '/v1/messages' ? '0' : null
    expect(refused.headers.get('anthropic-ratelimit-requests-remaining')).toBe(name)
    expect(world.upstream.seen).toHaveLength(1)
  })

  test('a reply has our remaining limits, not those of our upstream account', async () => {
    const world = await openRelay((exchange) => {
      exchange.response.setHeader('x-ratelimit-remaining-requests', '9999')
      answerOk(exchange)
    })
    expect((await world.chat(ask(MODEL))).headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    await limit(world, { measure: 'requests', amount: 5, ...DAY })
    await limit(world, { measure: 'tokens', amount: 10_000, ...DAY })

    const { headers } = await world.chat(ask(MODEL, { max_tokens: 10 }))

    expect(headers.get('x-ratelimit-limit-requests')).toBe('5')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('4')
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('10000')
    expect(headers.get('x-ratelimit-reset-tokens')).toMatch(/^(\d+h)?\d+m\d+s$/)
  })

  test('a rejected request holds nothing and is not charged', async () => {
    const world = await openRelay(answerOk)
    await limit(world, { measure: 'tokens', amount: 5, ...DAY })
    const before = await world.balance(world.person)
    await world.chat(ask(MODEL, { max_tokens: 3 }))
    const charged = before - (await world.balance(world.person))

    expectRefusal(await world.chat(ask(MODEL, { max_tokens: 3 })), { status: 429, code: 'rate_limit_exceeded' })
    expect(before - (await world.balance(world.person))).toBe(charged)
    const { held_quota } = await world.toolkit.db.reader('users').where({ id: world.person.id }).first('held_quota')
    await expect.poll(() => held_quota).toBeGreaterThanOrEqual(0)
  })

  test('a user limit counts all keys of the user, and an address limit all requests of the address', async () => {
    const world = await openRelay(answerOk)
    const second = await world.token(world.person)
    await limit(world, { subject: 'user', subject_id: String(world.person.id), measure: 'requests', amount: 2, ...DAY })
    const call = (key: string) => post({ url: world.url, key, body: ask(MODEL) })
    expect((await call(world.key)).status).toBe(200)
    expect((await call(`sk-${second.key}`)).status).toBe(200)
    expect((await call(world.key)).status).toBe(429)

    await limit(world, { subject: 'address', subject_id: '*', measure: 'requests', amount: 1, ...DAY })
    const other = await world.user({ quota: 1e6 })
    const theirs = await world.token(other)
    expect((await call(`sk-${theirs.key}`)).status).toBe(200)
    expect((await call(`sk-${theirs.key}`)).status).toBe(429)
  })

  test('waits in a queue up to the configured time', async () => {
    let release = () => {}
    const world = await openRelay(async (exchange) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      answerOk(exchange)
    })
    await limit(world, { measure: 'concurrent', period: 'none', amount: 1, action: 'queue', wait_seconds: 1 })

    const first = world.chat(ask(MODEL))
    await expect.poll(() => world.upstream.seen.length).toBe(1)
    const startedMs = performance.now()
    expect((await world.chat(ask(MODEL))).status).toBe(429)
    expect(performance.now() - startedMs).toBeGreaterThan(900)

    const queued = world.chat(ask(MODEL))
    await sleep(100)
    release()
    expect((await first).status).toBe(200)
    await expect.poll(() => world.upstream.seen.length).toBe(2)
    release()
    expect((await queued).status).toBe(200)
  }, 20_000)

  test('a client that disconnects releases its place', async () => {
    const world = await openRelay((exchange) => {
      if (world.upstream.seen.length > 1) answerOk(exchange)
    })
    await limit(world, { measure: 'concurrent', period: 'none', amount: 1 })
    const leaving = new AbortController()
    const first = world.chat(ask(MODEL), { signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => world.upstream.seen.length).toBe(1)
    expect((await world.chat(ask(MODEL))).status).toBe(429)

    leaving.abort()

    expect(await first).toBe('gone')
    await expect.poll(async () => (await world.chat(ask(MODEL))).status).toBe(200)
  })
})

describe('limits of channels', () => {
  async function twoChannels(answer = answerOk) {
    const world = await openRelay(answerOk, { channel: { priority: 10 } })
    const spare = await startUpstream(answer)
    const other = await world.channel({ base_url: spare.url, models: MODEL, priority: 0 })
    const ofChannel = (id: number, wanted: Parameters<typeof limit>[1]) =>
      limit(world, { subject: 'channel', subject_id: String(id), ...wanted })
    return { ...world, world, spare, other, ofChannel }
  }

  test('a full channel is skipped for the next', async () => {
    const { chat, servedBy, spare, upstream, ofChannel } = await twoChannels()
    await ofChannel(servedBy.id, { measure: 'requests', amount: 3, ...DAY })

    const answers: Answer[] = []
    for (let turn = 0; turn < 10; turn++) answers.push(await chat(ask(MODEL)))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect([upstream.seen.length, spare.seen.length]).toEqual([3, 7])
  })

  test("if all are full the client gets 429, without the operator's limits", async () => {
    const { chat, servedBy, other, ofChannel } = await twoChannels()
    for (const { id } of [servedBy, other]) await ofChannel(id, { measure: 'requests', amount: 1, ...DAY })

    const [first, second, third] = [await chat(ask(MODEL)), await chat(ask(MODEL)), await chat(ask(MODEL))]

    expect([first.status, second.status]).toEqual([200, 200])
    expectRefusal(third, { status: 429, code: 'channels_limited' })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('if all are full and one queues, requests are served in turn', async () => {
    let most = 0
    let now = 0
    const answer = async (exchange: Exchange) => {
      now += 1
      most = Math.max(most, now)
      await sleep(30)
      now -= 1
      answerOk(exchange)
    }
    const world = await openRelay(answer)
    await limit(world, {
      subject: 'channel',
      subject_id: String(world.servedBy.id),
      measure: 'concurrent',
      period: 'none',
      amount: 2,
      action: 'queue',
      wait_seconds: 20,
    })

    const answers = await Promise.all(Array.from({ length: 12 }, () => world.chat(ask(MODEL))))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(most).toBe(2)
  }, 20_000)

  test('a full key of a channel is skipped for another key', async () => {
    const world = await openRelay(answerOk, {
      channel: { key: 'sk-one\nsk-two', setting: JSON.stringify({ multi_key_mode: 'random' }) },
    })
    await limit(world, { subject: 'channel-key', subject_id: '*', measure: 'requests', amount: 4, ...DAY })

    const answers = await Promise.all(Array.from({ length: 10 }, () => world.chat(ask(MODEL))))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    const keys = world.upstream.seen.map(({ headers }) => headers.authorization)
    expect(keys.filter((key) => key === 'Bearer sk-one')).toHaveLength(4)
  })

  test('an upstream with no remaining quota is used last, until it resets', async () => {
    const world = await openRelay(
      (exchange) => {
        exchange.response.setHeader('x-ratelimit-limit-requests', '10')
        exchange.response.setHeader('x-ratelimit-remaining-requests', '0')
        exchange.response.setHeader('x-ratelimit-reset-requests', '1s')
        answerOk(exchange)
      },
      { channel: { priority: 10 } },
    )
    const spare = await startUpstream(answerOk)
    await world.channel({ base_url: spare.url, models: MODEL, priority: 0 })

    for (let turn = 0; turn < 3; turn++) expect((await world.chat(ask(MODEL))).status).toBe(200)
    expect([world.upstream.seen.length, spare.seen.length]).toEqual([1, 2])
    await sleep(1100)
    await world.chat(ask(MODEL))
    expect(world.upstream.seen).toHaveLength(2)

    await expect
      .poll(() => world.toolkit.limits.learned(world.root), { timeout: 8000 })
      .toMatchObject([{ channel_id: world.servedBy.id, measure: 'requests', amount: 10, remaining: 0 }])
  }, 20_000)

  test('such an upstream is used anyway if there is no other', async () => {
    const world = await openRelay((exchange) => {
      exchange.response.setHeader('x-ratelimit-remaining-requests', '0')
      exchange.response.setHeader('x-ratelimit-reset-requests', '60s')
      answerOk(exchange)
    })
    expect((await world.chat(ask(MODEL))).status).toBe(200)
    expect((await world.chat(ask(MODEL))).status).toBe(200)
  })
})
