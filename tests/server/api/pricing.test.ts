import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

async function openPrices(models: string, options: Record<string, string> = {}) {
  const fixture = await openGateway()
  const set = {
    ModelRatio: '{"by-token":3,"wide":1}',
    ModelPrice: '{"by-call":0.04}',
    CompletionRatio: '{"by-token":7}',
  }
  for (const [key, value] of Object.entries({ ...set, ...options })) {
    await fixture.toolkit.options.set(fixture.root, key, value)
  }
  if (models) await fixture.channel({ models })
  return fixture
}
const pricesOf = async (fixture: TestGateway) => {
  const { body } = await openApi(fixture).anonymous().get('/api/pricing')
  return new Map<string, Record<string, unknown>>(
    (body.data as { model_name: string }[]).map((row) => [row.model_name, row]),
  )
}

describe('GET /api/pricing', () => {
  test("lists the prices of every served model with a visitor's groups, without a message", async () => {
    const fixture = await openPrices('by-token,by-call')
    await fixture.channel({ models: 'by-token', group: 'vip,staff' })

    const { status, body } = await openApi(fixture).anonymous().get('/api/pricing')

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: [
          {
            model_name: 'by-call',
            quota_type: 1,
            model_price: 0.04,
            model_ratio: 0,
            completion_ratio: 0,
            owner_by: '',
            context_window: expect.any(Number),
            enable_groups: ['default'],
          },
          {
            model_name: 'by-token',
            quota_type: 0,
            model_price: 0,
            model_ratio: 3,
            completion_ratio: 7,
            owner_by: '',
            context_window: expect.any(Number),
            enable_groups: ['default', 'vip', 'staff'],
          },
        ],
        group_ratio: { default: 1, vip: 1 },
        usable_group: { default: '默认分组', vip: 'vip分组' },
      },
    })
  })

  test("shows a signed-in user's group, without a user header", async () => {
    const fixture = await openPrices('by-token', { GroupRatio: '{"default":1,"vip":0.5,"staff":0.1}' })
    const staff = await fixture.user({ group: 'staff' })
    const session = await fixture.toolkit.sessions.create(staff.id)

    const { body } = await openApi(fixture)
      .anonymous()
      .get('/api/pricing', { cookie: `session=${session}` })
    const stranger = await openApi(fixture).anonymous().get('/api/pricing', { cookie: 'session=nonsense' })

    expect(body.group_ratio).toEqual({ default: 1, vip: 0.5, staff: 0.1 })
    expect(body.usable_group).toEqual({ default: '默认分组', vip: 'vip分组', staff: '用户分组' })
    expect(stranger.body.group_ratio).toEqual({ default: 1, vip: 0.5 })
  })

  test('is an empty list without channels, and omits models without an enabled channel', async () => {
    const fixture = await openPrices('')
    expect((await pricesOf(fixture)).size).toBe(0)

    const { id } = await fixture.channel({ models: 'by-token' })
    expect([...(await pricesOf(fixture)).keys()]).toEqual(['by-token'])

    await fixture.toolkit.channels.setStatus(fixture.root, id, 2)
    expect((await pricesOf(fixture)).size).toBe(0)
  })

  test('shows what the relay would charge, including the price list of newer models and the default ratio', async () => {
    const fixture = await openPrices('gpt-5,homemade,wide', { DefaultModelRatio: '9' })

    const prices = await pricesOf(fixture)

    for (const model of ['gpt-5', 'homemade', 'wide']) {
      const charged = await fixture.toolkit.pricing.find({ model, group: 'default' })
      expect(prices.get(model)).toMatchObject({
        model_ratio: charged?.modelRatio,
        completion_ratio: charged?.completionRatio,
      })
    }
    expect(prices.get('homemade')).toMatchObject({ model_ratio: 9 })
  })

  test('omits a model without a price, which the relay rejects, until it gets one', async () => {
    const fixture = await openPrices('homemade,by-token')
    expect([...(await pricesOf(fixture)).keys()]).toEqual(['by-token'])

    await fixture.toolkit.options.set(fixture.root, 'ModelRatio', '{"homemade":0}')

    expect((await pricesOf(fixture)).get('homemade')).toMatchObject({ model_ratio: 0, quota_type: 0 })
  })

  test('applies edits of another process within a second', { retry: 2 }, async () => {
    const fixture = await openPrices('by-token')
    await pricesOf(fixture)
    const other = await fixture.another()

    await other.options.set(fixture.root, 'ModelRatio', '{"by-token":4}')

    await expect
      .poll(async () => (await pricesOf(fixture)).get('by-token')?.model_ratio, { timeout: 1000, interval: 50 })
      .toBe(4)
  })
})

describe('GET /api/pricing/details', () => {
  test('has cache ratios and the source of a price; unpriced models are for administrators', async () => {
    const fixture = await openPrices('by-token,by-call,unknown-model', { CacheRatio: '{"by-token":0.5}' })
    const names = ({ body }: { body: { data?: { model_name: string }[] } }) => body.data?.map((row) => row.model_name)
    const user = await openApi(fixture).as(await fixture.user())

    expect(names(await user.get('/api/pricing/details'))).toEqual(['by-call', 'by-token'])
    expect(names(await (await openApi(fixture).as(fixture.root)).get('/api/pricing/details'))).toContain(
      'unknown-model',
    )
    expect((await user.get('/api/pricing/details?model=by-token')).body.data).toEqual([
      {
        model_name: 'by-token',
        source: 'option',
        quota_type: 0,
        model_price: 0,
        model_ratio: 3,
        completion_ratio: 7,
        cache_ratio: 0.5,
        cache_write_ratio: expect.any(Number),
        conditions: [],
        enable_groups: ['default'],
      },
    ])
    expect((await user.get('/api/pricing/details?model=unknown-model')).body.success).toBe(false)
  })
})
