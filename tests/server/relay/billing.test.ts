import { describe, expect, test } from 'vitest'
import { recordChange } from '../../../core/changes/changes.ts'
import { customer, type TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

async function ask(fixture: TestGateway, path: string, headers: Record<string, string>) {
  const response = await fetch(fixture.url + path, { headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** A key with a budget of 1 000 000 of which 250 000 are used; its owner has 2 000 000 left and 500 000 used. */
async function openBilling(token: object = {}) {
  const fixture = await openGateway()
  const buyer = await customer(fixture, {
    user: { quota: 2_000_000 },
    token: { unlimited_quota: false, remain_quota: 750_000, ...token },
  })
  await fixture.toolkit.db.transaction(async (trx) => {
    await trx('tokens').where({ id: buyer.bought.id }).update({ used_quota: 250_000 })
    await trx('users').where({ id: buyer.person.id }).update({ used_quota: 500_000 })
  })
  return { fixture, ...buyer }
}

describe.each([
  ['GET /dashboard/billing/subscription', '/dashboard/billing/subscription'],
  ['GET /v1/dashboard/billing/subscription', '/v1/dashboard/billing/subscription'],
])('%s', (_, path) => {
  test('returns the budget of the key in dollars, and its expiry', async () => {
    const { fixture, key } = await openBilling({ expired_time: 4_000_000_000 })

    const { status, body } = await ask(fixture, path, bearer(key))

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 2,
        hard_limit_usd: 2,
        system_hard_limit_usd: 2,
        access_until: 4_000_000_000,
      },
    })
  })

  test('returns a hundred million for a key without a budget, and 0 without expiry', async () => {
    const { fixture, key } = await openBilling({ unlimited_quota: true })

    const { body } = await ask(fixture, path, bearer(key.replace('sk-', '')))

    expect(body).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 })
  })

  test('returns the balance of the owner with DisplayTokenStatEnabled off', async () => {
    const { fixture, key } = await openBilling({ expired_time: 4_000_000_000 })
    await fixture.toolkit.options.set(fixture.root, 'DisplayTokenStatEnabled', 'false')

    expect((await ask(fixture, path, bearer(key))).body).toMatchObject({ hard_limit_usd: 5, access_until: 0 })
  })

  test('returns quota if quota is not shown in dollars', async () => {
    const { fixture, key } = await openBilling()
    await fixture.toolkit.options.set(fixture.root, 'DisplayInCurrencyEnabled', 'false')

    expect((await ask(fixture, path, bearer(key))).body).toMatchObject({ hard_limit_usd: 1_000_000 })
  })

  test.each([
    ['no key', {}, 401, 'token_missing', '未提供令牌'],
    ['an unknown key', bearer('sk-nonsense'), 401, 'invalid_api_key', '无效的令牌'],
  ])("rejects %s in the relay's error format", async (__, headers, status, code, text) => {
    const { fixture } = await openBilling()

    const answer = await ask(fixture, path, { ...headers, 'accept-language': 'zh' } as Record<string, string>)

    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      error: { message: expect.stringContaining(text), type: 'gateway_error', param: null, code },
    })
  })

  test('rejects an exhausted key, and shows only its ends', async () => {
    const { fixture, key } = await openBilling({ remain_quota: 0 })

    const { status, body } = await ask(fixture, path, bearer(key))

    expect(status).toBe(403)
    expect(body).toMatchObject({ error: { code: 'token_exhausted' } })
    expect(JSON.stringify(body)).toContain(`${key.slice(0, 6)}***${key.slice(-3)}`)
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test.each([
    ['that is used up', { remain_quota: 0 }, 4, 403],
    ['that has expired', { expired_time: 1_700_000_000 }, 3, 401],
  ])('marks a key %s, like a relay', async (_, columns, marked, status) => {
    const { fixture, key, bought } = await openBilling()
    const { toolkit } = fixture
    await toolkit.db.transaction(async (trx) => {
      await trx('tokens').where({ id: bought.id }).update(columns)
      await recordChange(trx, 'token', [bought.id])
    })
    await expect.poll(async () => (await ask(fixture, path, bearer(key))).status).toBe(status)

    expect(await toolkit.db.reader('tokens').where({ id: bought.id }).first('status')).toEqual({ status: marked })
    expect((await ask(fixture, path, bearer(key))).status).toBe(status)
  })

  test('rejects the key of a banned owner', async () => {
    const { fixture, key, person } = await openBilling()
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ status: 2 }))

    expect((await ask(fixture, path, bearer(key))).status).toBe(403)
  })

  test('ignores the models and the group of the key', async () => {
    const { fixture, key } = await openBilling({ model_limits: 'none', group: 'vip' })
    await fixture.toolkit.options.set(fixture.root, 'UserUsableGroups', '{}')
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', '{"default":1}')

    expect((await ask(fixture, path, bearer(key))).status).toBe(200)
  })

  test('allows pages of any origin, with a preflight', async () => {
    const { fixture, key } = await openBilling()
    const origin = { origin: 'https://page.example.com' }

    const { headers } = await ask(fixture, path, { ...bearer(key), ...origin })
    const preflight = await fetch(fixture.url + path, { method: 'OPTIONS', headers: origin })

    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe.each([
  ['GET /dashboard/billing/usage', '/dashboard/billing/usage'],
  ['GET /v1/dashboard/billing/usage', '/v1/dashboard/billing/usage'],
])('%s', (_, path) => {
  test('returns the usage of the key in cents, for any requested dates', async () => {
    const { fixture, key } = await openBilling()

    const { status, body } = await ask(fixture, `${path}?start_date=2026-01-01&end_date=nonsense`, bearer(key))

    expect({ status, body }).toEqual({ status: 200, body: { object: 'list', total_usage: 50 } })
  })

  test('returns the usage of the owner with DisplayTokenStatEnabled off, and quota without dollars', async () => {
    const { fixture, key } = await openBilling()
    await fixture.toolkit.options.set(fixture.root, 'DisplayTokenStatEnabled', 'false')
    expect((await ask(fixture, path, bearer(key))).body).toMatchObject({ total_usage: 100 })

    await fixture.toolkit.options.set(fixture.root, 'DisplayInCurrencyEnabled', 'false')
    expect((await ask(fixture, path, bearer(key))).body).toMatchObject({ total_usage: 50_000_000 })
  })

  test('rejects a call without a key', async () => {
    const { fixture } = await openBilling()

    expect((await ask(fixture, path, {})).status).toBe(401)
  })
})

test('billing queries count against the limit of the API', async () => {
  const fixture = await openGateway({
    settings: { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', GLOBAL_API_RATE_LIMIT: '2' },
  })
  const answers: { status: number; body: string }[] = []
  for (const path of ['/api/status', '/v1/dashboard/billing/usage', '/dashboard/billing/subscription', '/v1/models']) {
    const response = await fetch(fixture.url + path)
    answers.push({ status: response.status, body: await response.text() })
  }

  expect(answers.map(({ status }) => status)).toEqual([200, 401, 429, 401])
  expect(answers[2]?.body).toBe('')
})
