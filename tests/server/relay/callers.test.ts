import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { charges } from '../../support/books.ts'
import { type Answer, ask, expectRefusal, post } from '../../support/chat.ts'
import { customer, keyOf, MODEL, openTestRelay, setPrices, type TestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()

/** For tests that change nothing but the log. */
const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const gateway = shared(() => openTestRelay(works))
const open = (options = {}) => openRelay(works, options)
afterEach(() => void vi.useRealTimers())

describe('a key is found', () => {
  const places: Record<string, (key: string) => { headers?: Record<string, string>; path?: string }> = {
    'in Authorization, after Bearer': (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    'in Authorization, bare': (key) => ({ headers: { authorization: key } }),
    'in Authorization, without sk-': (key) => ({ headers: { authorization: `Bearer ${key.slice(3)}` } }),
    'in x-api-key, as clients of Anthropic send it': (key) => ({ headers: { 'x-api-key': key } }),
    'in x-goog-api-key, as clients of Gemini send it': (key) => ({ headers: { 'x-goog-api-key': key } }),
    'in api-key, as clients of Azure send it': (key) => ({ headers: { 'api-key': key } }),
    'in mj-api-secret': (key) => ({ headers: { 'mj-api-secret': key } }),
    'in mj-api-secret beside the placeholder of that client': (key) => ({
      headers: { authorization: 'Bearer midjourney-proxy', 'mj-api-secret': key },
    }),
    'in the query': (key) => ({ path: `/v1/chat/completions?key=${key}` }),
    'among the subprotocols of a browser': (key) => ({
      headers: { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${key}, openai-beta.realtime-v1` },
    }),
  }
  test.each(Object.entries(places))('%s', async (_, place) => {
    const fixture = gateway()
    const before = await charges(fixture)

    const answer = await post({ url: fixture.url, body: ask(MODEL), ...place(fixture.key) })

    expect(answer.status).toBe(200)
    const charged = (await charges(fixture)).filter(({ id }) => before.every((log) => log.id !== id))
    expect(charged).toMatchObject([{ token_id: fixture.bought.id, user_id: fixture.person.id }])
  })

  test('nowhere: 401', async () => {
    const fixture = gateway()

    expectRefusal(await fixture.chat(ask(MODEL), { key: undefined }), { status: 401, code: 'token_missing' })
  })
})

describe('an unusable key is rejected', () => {
  const refuse = async (fixture: TestRelay, expected: { status: number; code: string }) => {
    const answer = await fixture.chat(ask(MODEL))
    expectRefusal(answer, expected)
    expect(fixture.upstream.seen).toEqual([])
    expect(await charges(fixture)).toEqual([])
    return answer.json.error?.message ?? ''
  }
  const unknown = {
    'an unknown one': 'sk-wrong',
    'only the prefix': 'sk-',
    'only the scheme': 'Bearer',
    'a very long one': `sk-${'x'.repeat(8000)}`,
    'one with SQL in it': "' OR 1=1 --",
  }
  test.each(Object.entries(unknown))('unknown: %s', async (_, key) => {
    const fixture = gateway()

    const answer = await fixture.chat(ask(MODEL), { key })

    expect(answer.status).toBe(401)
    expect(answer.json.error?.message).not.toContain(fixture.key)
  })

  test('disabled', async () => {
    const fixture = await open()
    await fixture.toolkit.tokens.setStatus(fixture.person, fixture.bought.id, TOKEN_STATUS.disabled)

    await refuse(fixture, { status: 401, code: 'token_disabled' })
  })

  test('expired; the row is marked afterward', async () => {
    const expired_time = Math.floor(Date.now() / 1000) + 60
    const fixture = await open({ token: { expired_time } })
    vi.useFakeTimers({ toFake: ['Date'], now: (expired_time - 1) * 1000 })
    expect((await fixture.chat(ask(MODEL))).status).toBe(200)

    vi.setSystemTime(expired_time * 1000)
    for (let time = 0; time < 2; time++) {
      expectRefusal(await fixture.chat(ask(MODEL)), { status: 401, code: 'token_expired' })
      expect((await fixture.toolkit.tokens.get(fixture.person, fixture.bought.id)).status).toBe(TOKEN_STATUS.expired)
    }
  })

  test('exhausted; the row is marked afterward, and only the ends of the key are shown', async () => {
    const fixture = await open({ token: { unlimited_quota: false, remain_quota: 0 } })
    await refuse(fixture, { status: 403, code: 'insufficient_token_quota' })

    const message = await refuse(fixture, { status: 403, code: 'token_exhausted' })

    expect(message).toContain(`sk-${fixture.key.slice(3, 6)}***${fixture.key.slice(-3)}`)
    expect((await fixture.toolkit.tokens.get(fixture.person, fixture.bought.id)).status).toBe(TOKEN_STATUS.exhausted)
  })

  test('deleted: like an unknown one', async () => {
    const fixture = await open()
    await fixture.toolkit.tokens.delete(fixture.person, fixture.bought.id)

    await refuse(fixture, { status: 401, code: 'invalid_api_key' })
  })

  test('of a banned user', async () => {
    const fixture = await open()
    await fixture.toolkit.accounts.manage(fixture.root, fixture.person.id, 'disable')

    await refuse(fixture, { status: 403, code: 'user_disabled' })
  })

  test('from an address outside its list', async () => {
    const fixture = await open({ token: { allow_ips: '10.0.0.1\n192.168.0.0/16' } })

    expect(await refuse(fixture, { status: 403, code: 'token_ip' })).toContain('127.0.0.1')
  })

  test('from an address that only claims to be on the list: only proxies in TRUST_PROXY are trusted', async () => {
    const listed = { token: { allow_ips: '10.0.0.1' } }
    const forwarded = { headers: { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' } }
    const careful = await open(listed)
    expect((await careful.chat(ask(MODEL), forwarded)).status).toBe(403)

    const trusting = await open({ ...listed, settings: { TRUST_PROXY: '127.0.0.1' } })
    expect((await trusting.chat(ask(MODEL), forwarded)).status).toBe(200)
  })

  test.each(['10.0.0.1:4711', '[2001:db8::1]:4711', '[2001:db8::1]', '2001:db8::1'])(
    'unless a trusted proxy names an address on the list, as %s',
    async (forwarded) => {
      const fixture = await open({
        token: { allow_ips: '10.0.0.1\n2001:db8::1' },
        settings: { TRUST_PROXY: '127.0.0.1' },
      })
      const headers = { 'x-forwarded-for': forwarded }
      expect((await fixture.chat(ask(MODEL), { headers })).status).toBe(200)
      const authorization = `Bearer ${fixture.key}`
      expect((await fetch(`${fixture.url}/v1/models`, { headers: { ...headers, authorization } })).status).toBe(200)
      const others = { 'x-forwarded-for': '10.0.0.2:4711', authorization }
      expect((await fetch(`${fixture.url}/v1/models`, { headers: others })).status).toBe(403)
    },
  )

  test('for a model outside its list', async () => {
    const fixture = await open({ token: { model_limits: 'gpt-4o,other' } })

    expect(await refuse(fixture, { status: 403, code: 'token_model' })).toContain(MODEL)
  })

  test('with a group no longer available to its owner', async () => {
    const fixture = await open({ token: { group: 'vip' } })
    await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', JSON.stringify({ default: 'default' }))

    expect(await refuse(fixture, { status: 403, code: 'token_group' })).toContain('vip')
  })

  test('with a group that no longer exists', async () => {
    const fixture = await open({ token: { group: 'vip' } })
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', JSON.stringify({ default: 1 }))

    expect(await refuse(fixture, { status: 403, code: 'group_retired' })).toContain('vip')
  })

  test('an address range allows the whole range', async () => {
    const fixture = await open({ token: { allow_ips: '127.0.0.0/8' } })

    expect((await fixture.chat(ask(MODEL))).status).toBe(200)
  })
})

describe('groups', () => {
  test("a token's group chooses the channels and multiplies the price", async () => {
    const fixture = await open({ token: { group: 'vip' }, channel: { group: 'vip' } })
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', JSON.stringify({ default: 1, vip: 0.5 }))

    expect((await fixture.chat(ask(MODEL))).status).toBe(200)

    // 3 × (5 + 7 × 5) × 0.5
    expect(await charges(fixture)).toMatchObject([{ group: 'vip', quota: 60 }])
  })

  test('a model whose channels are all disabled is 503 with a Retry-After', async () => {
    const fixture = await open({ channel: { status: 2 } })

    const answer = await fixture.chat(ask(MODEL))

    expectRefusal(answer, { status: 503, code: 'no_available_channel' })
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(await charges(fixture)).toEqual([])
  })

  test('a model of another group only is 503, an unknown one is 404', async () => {
    const fixture = await open({ channel: { group: 'vip' } })

    expectRefusal(await fixture.chat(ask(MODEL)), { status: 503, code: 'no_channel' })
    expectRefusal(await fixture.chat(ask('no-such-model')), { status: 404, code: 'model_not_found' })
  })

  test('the list of models is that of the group, or that of the token', async () => {
    const fixture = await open({ channel: { models: `b-model,${MODEL},a-model` } })
    await fixture.channel({ models: 'only-vip', group: 'vip' })
    const limited = await customer(fixture, { token: { model_limits: 'a-model,z-model' } })
    const list = async (key: string) => {
      const response = await fetch(`${fixture.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    }

    expect(await list(fixture.key)).toEqual(['a-model', 'b-model', MODEL])
    expect(await list(limited.key)).toEqual(['a-model', 'z-model'])
  })
})

describe('the language of an error', () => {
  const message = async (language: Record<string, string>) => {
    return (await gateway().chat(ask(MODEL), { key: 'sk-wrong', headers: language })).json.error?.message ?? ''
  }

  test('is English unless Chinese is requested', async () => {
    expect(await message({})).toMatch(/^Invalid API key \(request id: \w+\)$/)
    expect(await message({ 'accept-language': 'fr-FR,fr;q=0.9' })).toMatch(/^Invalid API key/)
    expect(await message({ 'accept-language': 'zh-CN;q=0.3,en;q=0.9' })).toMatch(/^Invalid API key/)
  })

  test('is Chinese with Accept-Language: zh', async () => {
    expect(await message({ 'accept-language': 'zh' })).toMatch(/^无效的令牌 \(request id: \w+\)$/)
    expect(await message({ 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' })).toMatch(/^无效的令牌/)
  })
})

test('a browser of any origin may call the relay, with a preflight', async () => {
  const fixture = gateway()

  const preflight = await fetch(`${fixture.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  const answer: Answer = await fixture.chat(ask(MODEL), { headers: { origin: 'https://app.example' } })

  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(answer.headers.get('access-control-expose-headers')).toMatch(
    /x-request-id.*x-ratelimit-limit-requests.*tollgate-/,
  )
  for (const { headers } of [preflight, answer]) expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('an administrator is charged like any user', async () => {
  const fixture = await open({ user: { role: ROLE.admin } })
  await setPrices(fixture)
  const ownToken = await fixture.token(fixture.root)

  expect((await fixture.chat(ask(MODEL), { key: keyOf(ownToken) })).status).toBe(200)

  expect(await charges(fixture)).toMatchObject([{ user_id: fixture.root.id, quota: 120 }])
})

test('a duplicate header does not crash the gateway', async () => {
  const fixture = gateway()
  const body = JSON.stringify(ask(MODEL))

  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest(
      `${fixture.url}/v1/chat/completions`,
      {
        method: 'POST',
        headers: { 'x-api-key': [fixture.key, 'sk-other'], 'content-length': Buffer.byteLength(body) },
      },
      (response) => resolve(response.resume().statusCode),
    )
    request.on('error', reject).end(body)
  })

  expect(status).toBe(401)
  expect((await fixture.chat(ask(MODEL))).status).toBe(200)
})
