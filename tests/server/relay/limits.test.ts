import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { NewLimit } from '../../../core/limits/limit.ts'
import { type Answer, ask, expectRefusal, post } from '../../support/chat.ts'
import { MODEL, type TestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()
const answerOk = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(9, 1)))

async function limit(fixture: TestRelay, limits: Partial<NewLimit> & Pick<NewLimit, 'measure' | 'period' | 'amount'>) {
  const subject = { subject: 'token', subject_id: String(fixture.bought.id) } as const
  const [made] = await fixture.toolkit.limits.set(fixture.root, [{ ...subject, ...limits }])
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
    const fixture = await openRelay(answerOk)
    const { id } = await limit(fixture, { measure: 'requests', amount: 1, ...DAY })
    const call = () => post({ url: fixture.url, key: fixture.key, path, body, headers: { 'accept-language': 'en' } })

    const first = await call()
    const refused = await call()

    expect(first.status).toBe(200)
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject(error)
    expect(refused.json.error?.message).toMatch(
      new RegExp(`Limit ${id} of API key ${fixture.bought.id} is reached: 1 requests per day \\(Asia/Shanghai\\)`),
    )
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const name = path === '/v1/messages' ? '0' : null
    expect(refused.headers.get('anthropic-ratelimit-requests-remaining')).toBe(name)
    expect(fixture.upstream.seen).toHaveLength(1)
  })

  test('reads the amount of a quota limit as money, or as points if the gateway shows those', async () => {
    const fixture = await openRelay(answerOk)
    await limit(fixture, { measure: 'quota', amount: 1, ...DAY })
    const message = async (language: string) => {
      const headers = { 'accept-language': language }
      return (await post({ url: fixture.url, key: fixture.key, body: ask(MODEL), headers })).json.error?.message
    }
    await post({ url: fixture.url, key: fixture.key, body: ask(MODEL) })

    expect(await message('en')).toContain('is reached: $0.000002 of quota per day (Asia/Shanghai)')
    expect(await message('zh')).toContain('每天 (Asia/Shanghai) ＄0.000002 额度')
    await fixture.toolkit.options.set(fixture.root, 'DisplayInCurrencyEnabled', 'false')
    expect(await message('en')).toContain('is reached: 1 quota per day')
  })

  test('a reply has our remaining limits, not those of our upstream account', async () => {
    const fixture = await openRelay((exchange) => {
      exchange.response.setHeader('x-ratelimit-remaining-requests', '9999')
      answerOk(exchange)
    })
    expect((await fixture.chat(ask(MODEL))).headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    await limit(fixture, { measure: 'requests', amount: 5, ...DAY })
    await limit(fixture, { measure: 'tokens', amount: 10_000, ...DAY })

    const { headers } = await fixture.chat(ask(MODEL, { max_tokens: 10 }))

    expect(headers.get('x-ratelimit-limit-requests')).toBe('5')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('4')
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('10000')
    expect(headers.get('x-ratelimit-reset-tokens')).toMatch(/^(\d+h)?\d+m\d+s$/)
  })

  test('a rejected request holds nothing and is not charged', async () => {
    const fixture = await openRelay(answerOk)
    await limit(fixture, { measure: 'tokens', amount: 5, ...DAY })
    const before = await fixture.balance(fixture.person)
    await fixture.chat(ask(MODEL, { max_tokens: 3 }))
    const charged = before - (await fixture.balance(fixture.person))

    expectRefusal(await fixture.chat(ask(MODEL, { max_tokens: 3 })), { status: 429, code: 'rate_limit_exceeded' })
    expect(before - (await fixture.balance(fixture.person))).toBe(charged)
    const { held_quota } = await fixture.toolkit.db.reader('users').where({ id: fixture.person.id }).first('held_quota')
    await expect.poll(() => held_quota).toBeGreaterThanOrEqual(0)
  })

  test('a user limit counts all keys of the user, and an address limit all requests of the address', async () => {
    const fixture = await openRelay(answerOk)
    const second = await fixture.token(fixture.person)
    await limit(fixture, {
      subject: 'user',
      subject_id: String(fixture.person.id),
      measure: 'requests',
      amount: 2,
      ...DAY,
    })
    const call = (key: string) => post({ url: fixture.url, key, body: ask(MODEL) })
    expect((await call(fixture.key)).status).toBe(200)
    expect((await call(`sk-${second.key}`)).status).toBe(200)
    expect((await call(fixture.key)).status).toBe(429)

    await limit(fixture, { subject: 'address', subject_id: '*', measure: 'requests', amount: 1, ...DAY })
    const other = await fixture.user({ quota: 1e6 })
    const theirs = await fixture.token(other)
    expect((await call(`sk-${theirs.key}`)).status).toBe(200)
    expect((await call(`sk-${theirs.key}`)).status).toBe(429)
  })

  test('waits in a queue up to the configured time', async () => {
    let release = () => {}
    const fixture = await openRelay(async (exchange) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      answerOk(exchange)
    })
    await limit(fixture, { measure: 'concurrent', period: 'none', amount: 1, action: 'queue', wait_seconds: 1 })

    const first = fixture.chat(ask(MODEL))
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)
    const startedMs = performance.now()
    expect((await fixture.chat(ask(MODEL))).status).toBe(429)
    expect(performance.now() - startedMs).toBeGreaterThan(900)

    const queued = fixture.chat(ask(MODEL))
    await sleep(100)
    release()
    expect((await first).status).toBe(200)
    await expect.poll(() => fixture.upstream.seen.length).toBe(2)
    release()
    expect((await queued).status).toBe(200)
  }, 20_000)

  test('a client that disconnects releases its place', async () => {
    const fixture = await openRelay((exchange) => {
      if (fixture.upstream.seen.length > 1) answerOk(exchange)
    })
    await limit(fixture, { measure: 'concurrent', period: 'none', amount: 1 })
    const leaving = new AbortController()
    const first = fixture.chat(ask(MODEL), { signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)
    expect((await fixture.chat(ask(MODEL))).status).toBe(429)

    leaving.abort()

    expect(await first).toBe('gone')
    await expect.poll(async () => (await fixture.chat(ask(MODEL))).status).toBe(200)
  })
})

describe('limits of channels', () => {
  async function twoChannels(answer = answerOk) {
    const fixture = await openRelay(answerOk, { channel: { priority: 10 } })
    const spare = await startUpstream(answer)
    const other = await fixture.channel({ base_url: spare.url, models: MODEL, priority: 0 })
    const ofChannel = (id: number, wanted: Parameters<typeof limit>[1]) =>
      limit(fixture, { subject: 'channel', subject_id: String(id), ...wanted })
    return { ...fixture, fixture, spare, other, ofChannel }
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
    const fixture = await openRelay(answer)
    await limit(fixture, {
      subject: 'channel',
      subject_id: String(fixture.servedBy.id),
      measure: 'concurrent',
      period: 'none',
      amount: 2,
      action: 'queue',
      wait_seconds: 20,
    })

    const answers = await Promise.all(Array.from({ length: 12 }, () => fixture.chat(ask(MODEL))))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(most).toBe(2)
  }, 20_000)

  test('a full key of a channel is skipped for another key', async () => {
    const fixture = await openRelay(answerOk, {
      channel: { key: 'sk-one\nsk-two', setting: JSON.stringify({ multi_key_mode: 'random' }) },
    })
    await limit(fixture, { subject: 'channel-key', subject_id: '*', measure: 'requests', amount: 4, ...DAY })

    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.chat(ask(MODEL))))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    const keys = fixture.upstream.seen.map(({ headers }) => headers.authorization)
    expect(keys.filter((key) => key === 'Bearer sk-one')).toHaveLength(4)
  })

  test('an upstream with no remaining quota is used last, until it resets', async () => {
    const fixture = await openRelay(
      (exchange) => {
        exchange.response.setHeader('x-ratelimit-limit-requests', '10')
        exchange.response.setHeader('x-ratelimit-remaining-requests', '0')
        exchange.response.setHeader('x-ratelimit-reset-requests', '1s')
        answerOk(exchange)
      },
      { channel: { priority: 10 } },
    )
    const spare = await startUpstream(answerOk)
    await fixture.channel({ base_url: spare.url, models: MODEL, priority: 0 })

    for (let turn = 0; turn < 3; turn++) expect((await fixture.chat(ask(MODEL))).status).toBe(200)
    expect([fixture.upstream.seen.length, spare.seen.length]).toEqual([1, 2])
    await sleep(1100)
    await fixture.chat(ask(MODEL))
    expect(fixture.upstream.seen).toHaveLength(2)

    await expect
      .poll(() => fixture.toolkit.limits.learned(fixture.root), { timeout: 8000 })
      .toMatchObject([{ channel_id: fixture.servedBy.id, measure: 'requests', amount: 10, remaining: 0 }])
  }, 20_000)

  test('such an upstream is used anyway if there is no other', async () => {
    const fixture = await openRelay((exchange) => {
      exchange.response.setHeader('x-ratelimit-remaining-requests', '0')
      exchange.response.setHeader('x-ratelimit-reset-requests', '60s')
      answerOk(exchange)
    })
    expect((await fixture.chat(ask(MODEL))).status).toBe(200)
    expect((await fixture.chat(ask(MODEL))).status).toBe(200)
  })
})
