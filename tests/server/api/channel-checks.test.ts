import { describe, expect, test } from 'vitest'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { type ApiClient, openApi } from '../../support/api.ts'
import { CHANNEL_KEY, openTestGateway, type TestGateway } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

/** Administrators may ask what listens here. */
const settings = { MEDIA_ALLOW_HOSTS: '127.0.0.0/8,[::1]' }
const openGateway = reused(() => ({ settings }))

interface Fixture extends TestGateway {
  admin: ApiClient
  /** A channel to an upstream that answers as told. */
  served(
    answer: (exchange: Exchange) => unknown,
    channel?: Partial<NewChannel>,
  ): Promise<{ id: number; seen: Exchange[] }>
  field(id: number, name: string): Promise<unknown>
}

async function open(gateway: () => Promise<TestGateway> = openGateway): Promise<Fixture> {
  const fixture = await gateway()
  const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))
  return {
    ...fixture,
    admin,
    async served(answer, channel = {}) {
      const { url, seen } = await startUpstream(answer)
      const { id } = await fixture.channel({ base_url: url, key: CHANNEL_KEY, ...channel })
      return { id, seen }
    },
    field: async (id, name) => (await admin.get(`/api/channel/${id}`)).body.data[name],
  }
}

const works = (exchange: Exchange) => sendJson(exchange, completion('hello', usage(3, 2)))
const fails =
  (status: number, error: object) =>
  (exchange: Exchange): void =>
    sendJson(exchange, { error }, status)
const NOWHERE = 'http://127.0.0.1:9'

describe('GET /api/channel/test/:id', () => {
  test('returns and stores the duration, writes a log row of user 1 and charges no user', async () => {
    const { admin, served, field, toolkit, root } = await open()
    const { id, seen } = await served(works, { models: 'gpt-4o,o3', model_mapping: '{"gpt-4o":"deployed"}' })

    const { body } = await admin.get(`/api/channel/test/${id}`)
    expect(body).toEqual({ success: true, message: '', time: expect.any(Number) })
    expect(body.time).toBeGreaterThan(0)
    expect(seen[0]?.body).toEqual({
      model: 'deployed',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
    })
    expect(await field(id, 'response_time')).toBeGreaterThan(0)
    expect(await field(id, 'test_time')).toBeGreaterThan(1_700_000_000)
    expect((await toolkit.logs.list(root, { type: 2 })).items).toMatchObject([
      { type: 2, user_id: 1, token_name: '模型测试', content: '模型测试', model_name: 'gpt-4o', channel: id },
    ])
    expect(await toolkit.accounts.get(root, root.id)).toMatchObject({ used_quota: 0, request_count: 0 })
  })

  test('uses the model of the query, with embeddings for an embedding model', async () => {
    const { admin, served } = await open()
    const { id, seen } = await served((exchange) =>
      sendJson(exchange, { data: [{ embedding: [1] }], usage: usage(2, 0) }),
    )

    expect((await admin.get(`/api/channel/test/${id}?model=text-embedding-3-small`)).body.success).toBe(true)
    expect(seen[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'text-embedding-3-small', input: ['hello world'] },
    })
  })

  test('requests reranking from a rerank model, and embeddings from an embedding-only kind', async () => {
    const { admin, served } = await open()
    const ranked = { results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: 4 } }
    const jina = await served((exchange) => sendJson(exchange, ranked), { type: 38, models: 'jina-reranker-m0' })
    const moka = await served((exchange) => sendJson(exchange, { data: [{ embedding: [1] }] }), {
      type: 44,
      models: 'any',
    })

    for (const { id } of [jina, moka]) expect((await admin.get(`/api/channel/test/${id}`)).body.success).toBe(true)
    expect(jina.seen[0]).toMatchObject({
      path: '/v1/rerank',
      body: { query: 'hi', documents: ['hello world', 'goodbye'] },
    })
    expect(moka.seen[0]).toMatchObject({ path: '/embeddings', body: { model: 'any', input: ['hello world'] } })
  })

  test('a reply without text passes if it has a usage: all output was reasoning', async () => {
    const { admin, served } = await open()
    const { id } = await served((exchange) => sendJson(exchange, completion('', usage(3, 10))))
    expect((await admin.get(`/api/channel/test/${id}`)).body).toMatchObject({ success: true, message: '' })
  })

  test("a failure has its time, the status and the upstream's message, and changes no status", async () => {
    const { admin, served, field } = await open()
    const { id } = await served(fails(401, { message: `bad key ${CHANNEL_KEY}`, code: 'invalid_api_key' }))

    const { body } = await admin.get(`/api/channel/test/${id}`)
    expect(body).toEqual({ success: false, message: 'status code 401: bad key ***', time: expect.any(Number) })
    expect(await field(id, 'response_time')).toBeGreaterThan(0)
    expect(await field(id, 'status')).toBe(1)
  })

  test('an unreachable upstream is reported in the language of the caller, and without a status', async () => {
    const { admin, channel } = await open()
    const { id } = await channel({ base_url: NOWHERE })
    const messageIn = async (language: string) =>
      (await admin.get(`/api/channel/test/${id}`, { 'accept-language': language })).body.message

    expect(await messageIn('zh-CN')).toBe('无法连接上游，或上游中断了连接')
    expect(await messageIn('en')).toBe('The upstream could not be reached, or broke off')
  })

  test('reports an unknown channel, or one that cannot be tested', async () => {
    const { admin, channel, toolkit } = await open()
    const { id } = await channel()
    const become = async (type: number) => {
      await toolkit.db.transaction((trx) => trx('channels').where({ id }).update({ type }))
      await toolkit.channels.update({ id: 1, role: 100 }, id, { name: 'imported' })
    }
    await become(2)

    expect((await admin.get('/api/channel/test/77')).body).toEqual({ success: false, message: '渠道 77 不存在' })
    expect((await admin.get('/api/channel/test/x')).body.message).toMatch(/^id /)
    expect((await admin.get(`/api/channel/test/${id}`)).body).toEqual({
      success: false,
      message: '类型 2 的渠道不支持测试',
    })
    for (const type of [5, 36]) {
      await become(type)
      const { body } = await admin.get(`/api/channel/test/${id}`)
      expect(body).toEqual({ success: false, message: `类型 ${type} 的渠道不支持测试` })
    }
    expect((await admin.get(`/api/channel/test/${id}?model=${'x'.repeat(256)}`)).body.message).toMatch(/model/)
  })
})

describe('on shutdown', () => {
  test('a test of one channel is aborted', async () => {
    const { admin, served, gateway, toolkit, root } = await open(() => openTestGateway({ settings }))
    const { id, seen } = await served(() => {})
    const check = admin.get(`/api/channel/test/${id}`).catch(() => {})
    await expect.poll(() => seen).toHaveLength(1)

    await gateway.close()
    await expect.poll(() => seen[0]?.whole).toBe(false)
    await check
    expect((await toolkit.channels.get(root, id)).test_time).toBe(0)
  })

  test('running balance and model queries are awaited', async () => {
    const { admin, served, gateway, toolkit, root } = await open(() => openTestGateway({ settings }))
    let answered = 0
    const late = async (exchange: Exchange, answer: object) => {
      await new Promise((resolve) => setTimeout(resolve, 2500))
      answered++
      sendJson(exchange, answer)
    }
    const rich = await served((exchange) => late(exchange, { total_remaining: 3 }), { type: 12 })
    const listing = await served((exchange) => late(exchange, { data: [] }))
    const checks = [`update_balance/${rich.id}`, `fetch_models/${listing.id}`].map((path) =>
      admin.get(`/api/channel/${path}`).catch(() => {}),
    )
    await expect.poll(() => [rich.seen.length, listing.seen.length]).toEqual([1, 1])

    await gateway.close()
    expect(answered).toBe(2)
    expect((await toolkit.channels.get(root, rich.id)).balance).toBe(3)
    await Promise.all(checks)
  })
})

describe('GET /api/channel/test', () => {
  const settled = async ({ toolkit, root }: Fixture, ids: number[]) =>
    expect
      .poll(async () => {
        const tested = await Promise.all(ids.map((id) => toolkit.channels.get(root, id)))
        return tested.every(({ test_time }) => test_time > 0)
      })
      .toBe(true)

  test('replies immediately, tests every channel in turn, and rejects a second run meanwhile', async () => {
    const fixture = await open()
    const { admin, served, toolkit, root } = fixture
    let requestCount = 0
    let most = 0
    let answered = 0
    const slowly = async (exchange: Exchange) => {
      most = Math.max(most, ++requestCount)
      await new Promise((resolve) => setTimeout(resolve, 50))
      requestCount--
      answered++
      works(exchange)
    }
    const ids = [(await served(slowly)).id, (await served(slowly)).id, (await served(slowly)).id]
    await toolkit.channels.setStatus(root, ids[1] ?? 0, 2)

    expect((await admin.get('/api/channel/test')).body).toEqual({ success: true, message: '' })
    expect((await admin.get('/api/channel/test')).body).toEqual({ success: false, message: '测试已在运行中' })
    await settled(fixture, ids)
    expect(most).toBe(1)
    await expect.poll(async () => (await admin.get('/api/channel/test')).body.success).toBe(true)
    // That began a second round. Left running, it would test the channels of the next test as this administrator.
    await expect.poll(() => answered).toBe(2 * ids.length)
  })

  test('disables permanently refused channels, only if enabled in the options', async () => {
    const fixture = await open()
    const { served, field, toolkit, root } = fixture
    // Another administrator reads late that an address was not reached.
    const asRoot = await openApi(fixture).as(root)
    const lost = fails(401, { message: 'no such key', code: 'invalid_api_key' })
    const out = await served(lost)
    const kept = await served(lost, { auto_ban: 0 })
    const busy = await served(fails(500, { message: 'try later' }))
    const unreachable = await served(works, { base_url: NOWHERE })
    const poor = await served(fails(400, { message: 'Your credit balance is too low to go on' }))
    const off = await served(lost)
    await toolkit.channels.setStatus(root, off.id, 2)
    const all = [out, kept, busy, unreachable, poor, off].map(({ id }) => id)
    const statuses = () => Promise.all(all.map((id) => field(id, 'status')))

    await asRoot.get('/api/channel/test')
    await settled(fixture, all)
    expect(await statuses()).toEqual([1, 1, 1, 1, 1, 2])

    await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
    await expect.poll(async () => (await asRoot.get('/api/channel/test')).body.success).toBe(true)
    await expect.poll(statuses).toEqual([3, 1, 1, 1, 3, 2])
    expect(JSON.parse((await field(out.id, 'other_info')) as string)).toEqual({
      status_reason: 'status code 401: no such key',
      status_time: expect.any(Number),
      test_failure: 'status code 401: no such key',
    })
    const abilities = await toolkit.db.reader('abilities').orderBy('channel_id')
    expect(abilities.map(({ enabled }) => Boolean(enabled))).toEqual([false, true, true, true, false, false])
  })

  test('disables slow channels, and re-enables passing channels that were disabled automatically', async () => {
    const fixture = await open()
    const { admin, served, field, toolkit, root } = fixture
    const slow = await served(async (exchange) => {
      await new Promise((resolve) => setTimeout(resolve, 3000))
      works(exchange)
    })
    const back = await served(works)
    const off = await served(works)
    await toolkit.channels.disableAutomatically(root, back.id, 'was slow')
    await toolkit.channels.setStatus(root, off.id, 2)
    await toolkit.options.set(root, 'ChannelDisableThreshold', '2')
    await toolkit.options.set(root, 'AutomaticEnableChannelEnabled', 'true')

    await admin.get('/api/channel/test')
    await expect
      .poll(() => Promise.all([slow, back, off].map(({ id }) => field(id, 'status'))), { timeout: 15_000 })
      .toEqual([3, 1, 2])
    expect(JSON.parse((await field(slow.id, 'other_info')) as string).status_reason).toMatch(
      /^响应时间 \d+\.\d\ds 超过阈值 2\.00s$/,
    )
    expect(JSON.parse((await field(back.id, 'other_info')) as string).status_reason).toBe('')
  })

  test('ends with the gateway, in the middle of a test', async () => {
    const fixture = await open(() => openTestGateway({ settings }))
    const { admin, served, gateway, toolkit, root } = fixture
    const first = await served(works)
    const { id, seen } = await served(() => {})
    await admin.get('/api/channel/test')
    await expect.poll(() => seen).toHaveLength(1)

    await gateway.close()
    await expect.poll(() => seen[0]?.whole).toBe(false)
    expect((await toolkit.channels.get(root, id)).test_time).toBe(0)
    expect((await toolkit.channels.get(root, first.id)).test_time).toBe(0)
    expect(fixture.failures).toEqual([])
  })
})

const BALANCES: [string, Partial<NewChannel>, Record<string, unknown>, number][] = [
  ['OpenAI', { type: 1 }, { hard_limit_usd: 20, has_payment_method: true, total_usage: 550 }, 14.5],
  ['a custom endpoint', { type: 8 }, { hard_limit_usd: 1, total_usage: 0 }, 1],
  ['AI Proxy', { type: 10 }, { success: true, data: { totalPoints: 12.5 } }, 12.5],
  ['API2GPT', { type: 12 }, { total_remaining: 3 }, 3],
  ['AIGC2D', { type: 13 }, { total_available: 4 }, 4],
  ['SiliconFlow', { type: 40 }, { code: 20000, data: { totalBalance: '88.00' } }, 88],
  [
    'DeepSeek',
    { type: 43 },
    {
      balance_infos: [
        { currency: 'USD', total_balance: '1' },
        { currency: 'CNY', total_balance: '7.5' },
      ],
    },
    7.5,
  ],
]

describe('GET /api/channel/update_balance/:id', () => {
  test.each(BALANCES)('queries %s, returns the balance and stores it', async (_, channel, answer, balance) => {
    const { admin, served, field } = await open()
    const { id } = await served((exchange) => sendJson(exchange, answer), channel)

    for (const path of [`/api/channel/update_balance/${id}`, `/api/channel/update_balance/${id}/`]) {
      expect((await admin.get(path)).body).toEqual({ success: true, message: '', balance })
    }
    expect(await field(id, 'balance')).toBe(balance)
    expect(await field(id, 'balance_updated_time')).toBeGreaterThan(1_700_000_000)
  })

  test('uses the documented paths, with the key of the channel', async () => {
    const { admin, served } = await open()
    const places: string[] = []
    for (const [, channel, answer] of BALANCES) {
      const { id, seen } = await served((exchange) => sendJson(exchange, answer), channel)
      await admin.get(`/api/channel/update_balance/${id}`)
      for (const { path, headers } of seen) {
        places.push(`${channel.type} ${path.replace(/\d{4}-\d\d-\d\d/g, 'DATE')}`)
        expect(headers.authorization ?? headers['api-key']).toBe(
          channel.type === 10 ? CHANNEL_KEY : `Bearer ${CHANNEL_KEY}`,
        )
      }
    }
    const usagePath = '/v1/dashboard/billing/usage?start_date=DATE&end_date=DATE'
    expect(places).toEqual([
      '1 /v1/dashboard/billing/subscription',
      `1 ${usagePath}`,
      '8 /v1/dashboard/billing/subscription',
      `8 ${usagePath}`,
      '10 /api/report/getUserOverview',
      '12 /dashboard/billing/credit_grants',
      '13 /dashboard/billing/credit_grants',
      '40 /v1/user/info',
      '43 /user/balance',
    ])
  })

  test('counts usage from the first of the month, or from 100 days ago without monthly billing', async () => {
    const { admin, served } = await open()
    const today = new Date().toISOString().slice(0, 10)
    const starts = {
      true: `${today.slice(0, 8)}01`,
      false: new Date(Date.now() - 8_640_000_000).toISOString().slice(0, 10),
    }
    for (const [has, start] of Object.entries(starts)) {
      const account = { hard_limit_usd: 1, total_usage: 0, has_payment_method: has === 'true' }
      const { id, seen } = await served((exchange) => sendJson(exchange, account))
      await admin.get(`/api/channel/update_balance/${id}`)
      expect(seen[1]?.path).toContain(`start_date=${start}&end_date=${today}`)
    }
  })

  test.each<[string, Partial<NewChannel>, (exchange: Exchange) => unknown, RegExp | string]>([
    ['a kind that cannot tell', { type: 20 }, () => {}, '渠道类型 20 不支持查询余额'],
    ['a status that is not 200', {}, (exchange) => sendJson(exchange, {}, 403), 'status code: 403'],
    [
      'a redirect',
      {},
      (exchange) => sendJson(exchange, {}, 302, { location: 'http://127.0.0.1:9/' }),
      'status code: 302',
    ],
    [
      'something that is no JSON',
      {},
      (exchange) => sendJson(exchange, '<html>secret words</html>'),
      /^解析响应失败: [^<]*$/,
    ],
    ['no number', {}, (exchange) => sendJson(exchange, { hard_limit_usd: 'x' }), /hard_limit_usd/],
    [
      'an endless number',
      { type: 12 },
      (exchange) => sendJson(exchange, '{"total_remaining":1e999}'),
      /total_remaining/,
    ],
    ['no yuan', { type: 43 }, (exchange) => sendJson(exchange, { balance_infos: [] }), 'currency CNY not found'],
    [
      'a refusal',
      { type: 40 },
      (exchange) => sendJson(exchange, { code: 5, message: `no ${CHANNEL_KEY}` }),
      /^code: 5, message: no \*\*\*$/,
    ],
    [
      'another refusal',
      { type: 10 },
      (exchange) => sendJson(exchange, { success: false, code: 1, message: 'bad' }),
      'code: 1, message: bad',
    ],
    ['no server', { base_url: NOWHERE }, () => {}, /^无法连接上游：/],
  ])('reports %s', async (_, channel, answer, message) => {
    const { admin, served, field } = await open()
    const { id } = await served(answer, channel)
    const { status, body } = await admin.get(`/api/channel/update_balance/${id}`)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
    expect(await field(id, 'balance_updated_time')).toBe(0)
  })

  test('reports an unknown channel', async () => {
    const { admin } = await open()
    expect((await admin.get('/api/channel/update_balance/77')).body).toEqual({
      success: false,
      message: '渠道 77 不存在',
    })
    expect((await admin.get('/api/channel/update_balance/x')).body.message).toMatch(/^id /)
  })
})

describe('GET /api/channel/update_balance', () => {
  test('queries all enabled channels, skips those that fail, and disables empty ones, even with auto_ban off', async () => {
    const { admin, served, field, toolkit, root } = await open()
    const has = (total_remaining: number) => (exchange: Exchange) => sendJson(exchange, { total_remaining })
    const type = 12
    const rich = await served(has(5), { type })
    const broken = await served((exchange) => sendJson(exchange, {}, 500), { type })
    const poor = await served(has(0), { type })
    const spent = await served(has(-1), { type, auto_ban: 0 })
    const off = await served(has(9), { type })
    const mute = await served(() => {}, { type: 20 })
    await toolkit.channels.setStatus(root, off.id, 2)
    const all = [rich, broken, poor, spent, off, mute]
    const each = (name: string) => Promise.all(all.map(({ id }) => field(id, name)))

    expect((await admin.get('/api/channel/update_balance')).body).toEqual({ success: true, message: '' })
    expect(await each('balance')).toEqual([5, 0, 0, -1, 0, 0])
    expect(await each('status')).toEqual([1, 1, 3, 3, 2, 1])
    expect(JSON.parse((await field(poor.id, 'other_info')) as string).status_reason).toBe('余额不足')
    expect([off.seen, mute.seen]).toEqual([[], []])
  })
})

describe('GET /api/channel/fetch_models/:id', () => {
  test("returns the names of the channel's upstream, and [] if it lists none", async () => {
    const { admin, served } = await open()
    const listing = { data: [{ id: 'a' }, { id: 5 }, 'x', { id: 'b' }] }
    const { id, seen } = await served((exchange) => sendJson(exchange, listing))
    const none = await served((exchange) => sendJson(exchange, { data: null }))

    const { body } = await admin.get(`/api/channel/fetch_models/${id}`)
    expect(body).toEqual({ success: true, message: '', data: ['a', 'b'] })
    expect(seen[0]).toMatchObject({ path: '/v1/models', headers: { authorization: `Bearer ${CHANNEL_KEY}` } })
    expect((await admin.get(`/api/channel/fetch_models/${none.id}`)).body.data).toEqual([])
  })

  test.each<[string, (exchange: Exchange) => unknown, RegExp | string]>([
    ['status', (exchange) => sendJson(exchange, {}, 500), 'status code: 500'],
    ['text', (exchange) => sendJson(exchange, 'hello'), /^解析响应失败: /],
    ['odd list', (exchange) => sendJson(exchange, { data: {} }), /^解析响应失败: /],
    ['broken answer', ({ response }) => response.destroy(), /^无法连接上游：/],
  ])('reports that the upstream returned a wrong %s', async (_, answer, message) => {
    const { admin, served } = await open()
    const { id } = await served(answer)
    const { status, body } = await admin.get(`/api/channel/fetch_models/${id}`)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
  })

  test('queries each vendor in its format, and reports vendors without a list', async () => {
    const { admin, served, channel } = await open()
    const named = { models: [{ name: 'models/a' }, { name: 'b' }, {}] }
    const listed = { data: [{ id: 'models/a' }, { id: 'b' }] }
    const requestFor = async (type: number, answer: object, given: Partial<NewChannel> = {}) => {
      const { id, seen } = await served((exchange) => sendJson(exchange, answer), { type, key: 'k|app', ...given })
      const { data } = (await admin.get(`/api/channel/fetch_models/${id}`)).body
      return { path: seen[0]?.path, headers: seen[0]?.headers, data }
    }
    const bar = { authorization: 'Bearer k|app' }

    expect(await requestFor(14, listed)).toMatchObject({
      path: '/v1/models?limit=1000',
      headers: { 'x-api-key': 'k|app', 'anthropic-version': '2023-06-01' },
      data: ['models/a', 'b'],
    })
    expect(await requestFor(24, named, { other: 'v1' })).toMatchObject({
      path: '/v1/models?pageSize=1000',
      headers: { 'x-goog-api-key': 'k|app' },
      data: ['a', 'b'],
    })
    expect(await requestFor(4, named)).toMatchObject({ path: '/api/tags', headers: bar, data: ['models/a', 'b'] })
    expect(await requestFor(34, named)).toMatchObject({ path: '/v1/models?page_size=1000', headers: bar })
    expect(await requestFor(17, listed)).toMatchObject({ path: '/compatible-mode/v1/models', headers: bar })
    expect(await requestFor(46, listed)).toMatchObject({ path: '/v2/models', headers: { authorization: 'Bearer k' } })
    for (const type of [15, 16, 18, 23, 26, 37, 38, 45, 49]) {
      const { id } = await channel({ type, base_url: NOWHERE })
      const { body } = await admin.get(`/api/channel/fetch_models/${id}`)
      expect(body).toEqual({ success: false, message: expect.stringMatching(/ 不提供模型列表，/) })
    }
  })

  test('reports an unknown channel, or one that is not relayed', async () => {
    const { admin, channel, toolkit, root } = await open()
    const { id } = await channel()
    await toolkit.db.transaction((trx) => trx('channels').where({ id }).update({ type: 11 }))
    await toolkit.channels.update(root, id, { name: 'imported' })

    expect((await admin.get(`/api/channel/fetch_models/${id}`)).body.message).toMatch(/Google PaLM 2/)
    expect((await admin.get('/api/channel/fetch_models/77')).body.message).toBe('渠道 77 不存在')
    expect((await admin.get('/api/channel/fetch_models/x')).body.message).toMatch(/^id /)
  })
})

describe('POST /api/channel/fetch_models', () => {
  test('queries the given address, with the first line of the key, and returns no message', async () => {
    const { admin } = await open()
    const { url, seen } = await startUpstream((exchange) => sendJson(exchange, { data: [{ id: 'a' }] }))

    const { body } = await admin.post('/api/channel/fetch_models', { base_url: `${url}/`, type: 1, key: ' k1 \nk2' })
    expect(body).toEqual({ success: true, data: ['a'] })
    expect(seen[0]).toMatchObject({ path: '/v1/models', headers: { authorization: 'Bearer k1' } })
    await admin.post('/api/channel/fetch_models', { base_url: `${url}/api/v3`, type: 1, key: 'k' })
    expect(seen[1]?.path).toBe('/api/v3/models')
  })

  test.each(['{', 'x', '[]', '"x"', '1'])('returns 400 for the body %j', async (raw) => {
    const { admin } = await open()
    const { status, body } = await admin.post('/api/channel/fetch_models', raw)
    expect({ status, ...body }).toEqual({ status: 400, success: false, message: 'Invalid request' })
  })

  test.each([
    [{}, /^type /],
    [{ type: '1' }, /^type /],
    [{ type: 99 }, /99/],
    [{ type: 1, base_url: 5 }, /^base_url /],
    [{ type: 1, base_url: 'file:///etc/passwd' }, /^base_url /],
    [{ type: 1, base_url: 'localhost:80' }, /^base_url /],
    [{ type: 1, base_url: 'x'.repeat(3000) }, /base_url/],
    [{ type: 8 }, /base_url/],
    [{ type: 11 }, /Google PaLM 2/],
    [{ type: 36 }, /^Suno API 不提供模型列表/],
    [{ type: 33, key: 'k' }, /^AWS Claude 不提供模型列表/],
    [{ type: 1, key: ['k'] }, /^key /],
    [{ type: 1, base_url: NOWHERE, key: 'k' }, /^无法连接上游：/],
    [{ type: 1, base_url: NOWHERE, key: 'ключ' }, /^无法连接上游：[^к]*$/],
  ])('rejects %j', async (wrong, message) => {
    const { admin } = await open()
    const { status, body } = await admin.post('/api/channel/fetch_models', wrong)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
  })

  test('returns only names of models from that address, and follows no redirect', async () => {
    const { admin } = await open()
    const inside = await startUpstream((exchange) => sendJson(exchange, { data: [{ id: 'inside' }] }))
    const outside = await startUpstream((exchange) =>
      sendJson(exchange, { secret: 'words' }, 307, { location: `${inside.url}/v1/models` }),
    )
    const plain = await startUpstream((exchange) => sendJson(exchange, 'secret words'))

    const at = async (base_url: string) =>
      (await admin.post('/api/channel/fetch_models', { base_url, type: 1, key: 'k' })).text
    expect(await at(outside.url)).toBe('{"success":false,"message":"status code: 307"}')
    expect(inside.seen).toEqual([])
    expect(await at(plain.url)).not.toContain('secret')
  })
})
