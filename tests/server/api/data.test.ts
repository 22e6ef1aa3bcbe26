import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'

const HOUR = 1_699_999_200
const MONTH_S = 2_592_000

/** Two hours of relays of two people. */
async function open() {
  let now = HOUR + 100
  const fixture = await openTestGateway({ now: () => now })
  const api = openApi(fixture)
  const [ann, bob] = [await fixture.user({ quota: 1e6 }), await fixture.user({ quota: 1e6 })]
  await fixture.charge(ann, { quota: 1, promptTokens: 5, completionTokens: 2 })
  await fixture.charge(bob, { quota: 10, promptTokens: 1 })
  await fixture.charge(bob, { quota: 100, modelName: 'o3' })
  now += 3600
  await fixture.charge(ann, { quota: 1000 })
  return { ...fixture, api, ann, bob, admin: await api.as(fixture.root), ownClient: await api.as(ann) }
}
const ALL = `start_timestamp=${HOUR}&end_timestamp=${HOUR + 3600}`

describe('GET /api/data/', () => {
  test("sums all users' counts by model and hour, without user names", async () => {
    const { admin } = await open()

    const { body } = await admin.get(`/api/data/?${ALL}&default_time=hour`)

    const noUser = { id: 0, user_id: 0, username: '' }
    expect(body).toEqual({
      success: true,
      message: '',
      data: expect.arrayContaining([
        { ...noUser, model_name: 'gpt-4o', created_at: HOUR, count: 2, quota: 11, token_used: 8 },
        { ...noUser, model_name: 'o3', created_at: HOUR, count: 1, quota: 100, token_used: 0 },
        { ...noUser, model_name: 'gpt-4o', created_at: HOUR + 3600, count: 1, quota: 1000, token_used: 0 },
      ]),
    })
    expect(body.data).toHaveLength(3)
    expect(body.data[2].created_at).toBe(HOUR + 3600)
  })

  test("returns one user's rows by the exact name", async () => {
    const { admin, ann } = await open()
    const of = async (username: string) => (await admin.get(`/api/data/?${ALL}&username=${username}`)).body.data

    expect(await of(ann.username)).toEqual([
      {
        id: expect.any(Number),
        user_id: ann.id,
        username: ann.username,
        model_name: 'gpt-4o',
        created_at: HOUR,
        count: 1,
        quota: 1,
        token_used: 7,
      },
      expect.objectContaining({ created_at: HOUR + 3600, quota: 1000 }),
    ])
    expect(await of(ann.username.slice(1))).toEqual([])
    expect(await of('no-such-user')).toEqual([])
  })

  test('finds nothing without an end, and all of any range with one', async () => {
    const { admin } = await open()
    const count = async (query: string) => (await admin.get(`/api/data/?${query}`)).body.data.length

    expect(await count('')).toBe(0)
    expect(await count(`start_timestamp=${HOUR}`)).toBe(0)
    expect(await count('start_timestamp=NaN&end_timestamp=x')).toBe(0)
    expect(await count('end_timestamp=999999999999999')).toBe(3)
    expect(await count(`end_timestamp=${HOUR - 1}`)).toBe(0)
    expect(await count(`start_timestamp=${HOUR + 1}&end_timestamp=${HOUR + 3600}`)).toBe(1)
  })
})

describe('GET /api/data/self', () => {
  test("returns only the user's rows, for administrators too, with any requested name", async () => {
    const { ownClient, admin, ann, bob } = await open()

    const { data } = (await ownClient.get(`/api/data/self/?${ALL}&username=${bob.username}&user_id=${bob.id}`)).body

    expect(data.map(({ quota }: { quota: number }) => quota)).toEqual([1, 1000])
    expect(data[0]).toMatchObject({ user_id: ann.id, username: ann.username })
    expect((await admin.get(`/api/data/self?${ALL}`)).body.data).toEqual([])
  })

  test('returns 30 days to the second, and rejects more', async () => {
    const { ownClient } = await open()
    const ask = async (start: number, end: number) =>
      (await ownClient.get(`/api/data/self?start_timestamp=${start}&end_timestamp=${end}`)).body

    expect((await ask(HOUR, HOUR + MONTH_S)).data).toHaveLength(2)
    const refused = { success: false, message: '时间跨度不能超过 1 个月' }
    expect(await ask(HOUR, HOUR + MONTH_S + 1)).toEqual(refused)
    expect(await ask(0, HOUR)).toEqual(refused)
    expect(await ask(-1e14, 1e14)).toEqual(refused)
    expect((await ask(HOUR, 5)).data).toEqual([])
    expect((await ask(0, 0)).data).toEqual([])
  })
})

describe('GET /api/data/dashboard', () => {
  test('has all dashboard data, and returns 304 while nothing has changed', async () => {
    const { admin, ownClient, toolkit, ann } = await open()

    const first = await admin.get('/api/data/dashboard?scope=all&by=user&metric=count')
    const etag = first.headers.get('etag') ?? ''
    const again = await admin.get('/api/data/dashboard?scope=all&by=user&metric=count', { 'if-none-match': etag })
    const ofAnn = await ownClient.get('/api/data/dashboard', { 'if-none-match': etag })

    expect(first.body.data).toMatchObject({
      totals: { count: 4, quota: 1111, ok: 4, failed: 0 },
      by: 'user',
      groups: [{ count: 2 }, { count: 2 }],
      account: { quota: expect.any(Number) },
    })
    expect(first.headers.get('cache-control')).toBe('no-store') // of the browser: the page keeps it in memory
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
    expect(ofAnn.body.data.totals.quota).toBe(1001)
    expect(ofAnn.body.data.newest.every(({ user_id }: { user_id: number }) => user_id === ann.id)).toBe(true)
    await toolkit.logs.rollUpUsage()
    expect((await admin.get('/api/data/dashboard?scope=all')).body.data.totals.quota).toBe(1111)
  })

  test("has its log rows in the reader's language, and returns 304 in that language only", async () => {
    const { admin, toolkit, root } = await open()
    const event = {
      type: 'topUp',
      userId: root.id,
      username: 'root',
      text: 'redeemed',
      quota: 5,
      redemptionId: 1,
    } as const
    await toolkit.db.transaction((trx) => toolkit.logs.write(trx, event))
    const read = (language: string, etag = '') =>
      admin.get('/api/data/dashboard', { 'accept-language': language, 'if-none-match': etag })

    const chinese = await read('zh')
    const etag = chinese.headers.get('etag') ?? ''
    const english = await read('en', etag)

    expect(chinese.body.data.newest[0].content).toBe('通过兑换码充值 ＄0.000010 额度，兑换码ID 1')
    expect(english.body.data.newest[0].content).toBe('Redeemed a code for $0.000010, code ID 1')
    expect((await read('zh', etag)).status).toBe(304)
  })

  test('covers all users for administrators only, and three months at most', async () => {
    const { ownClient, admin } = await open()

    expect((await ownClient.get('/api/data/dashboard?scope=all')).body).toMatchObject({ success: false })
    expect((await ownClient.get('/api/data/dashboard?username=root')).body).toMatchObject({ success: false })
    const long = `start_timestamp=0&end_timestamp=${HOUR}`
    expect((await admin.get(`/api/data/dashboard?scope=all&${long}`)).body).toMatchObject({ success: false })
    expect((await admin.get('/api/data/dashboard?username=no-such-user')).body).toMatchObject({ success: false })
  })
})
