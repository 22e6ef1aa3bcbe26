import { describe, expect, test } from 'vitest'
import { type ApiClient, openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { startUpstream } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const open = reused()
const SECRET = 'a secret of sixteen or more'
const WEBHOOK = {
  kind: 'webhook',
  name: 'hook',
  settings: { url: 'https://hooks.example.com/in', secret: SECRET },
  events: ['payment.completed'],
}
const settings = { MEDIA_ALLOW_HOSTS: '127.0.0.1' }

async function add(client: ApiClient, target: object = {}): Promise<number> {
  const { body } = await client.post('/api/notify/', { ...WEBHOOK, ...target })
  expect(body).toMatchObject({ success: true })
  return body.data.id
}

describe('GET /api/notify', () => {
  test("returns the caller's own targets, and those of the gateway for administrators", async () => {
    const fixture = await open()
    const api = openApi(fixture)
    const [root, user] = [await api.as(fixture.root), await api.as(await fixture.user())]
    await add(user)
    await add(root, { gateway: true, name: 'ops' })
    expect((await user.get('/api/notify/')).body.data).toMatchObject([{ name: 'hook', address: 'hooks.example.com' }])
    expect((await root.get('/api/notify/')).body.data).toEqual([])
    expect((await root.get('/api/notify/?gateway=true')).body.data).toMatchObject([{ name: 'ops', user_id: null }])
    const denied = await user.get('/api/notify/?gateway=true')
    expect(denied.body).toMatchObject({ success: false })
    expect(denied.text + (await user.get('/api/notify/')).text).not.toContain(SECRET)
  })
})

describe('POST /api/notify', () => {
  test('rejects unknown fields of a kind, and gateway targets except from root', async () => {
    const fixture = await open()
    const api = openApi(fixture)
    const [user, admin] = [await api.as(await fixture.user()), await api.as(await fixture.user({ role: 10 }))]
    for (const target of [{ kind: 'pigeon' }, { settings: {} }, { events: ['channel.disabled'] }, { gateway: true }]) {
      expect((await user.post('/api/notify/', { ...WEBHOOK, ...target })).body, JSON.stringify(target)).toMatchObject({
        success: false,
      })
    }
    expect((await admin.post('/api/notify/', { ...WEBHOOK, gateway: true })).body).toMatchObject({ success: false })
  })
})

describe('PUT /api/notify/:id', () => {
  test('changes the given fields, and keeps the settings', async () => {
    const fixture = await open()
    const user = await openApi(fixture).as(await fixture.user())
    const id = await add(user)
    const { body } = await user.put(`/api/notify/${id}`, { name: 'other', enabled: false, language: 'zh' })
    expect(body.data).toMatchObject({ name: 'other', enabled: false, language: 'zh', address: 'hooks.example.com' })
    const other = await openApi(fixture).as(await fixture.user())
    expect((await other.put(`/api/notify/${id}`, { name: 'stolen' })).body).toMatchObject({ success: false })
  })
})

describe('DELETE /api/notify/:id', () => {
  test('removes a target with its deliveries, only for its owner', async () => {
    const fixture = await open()
    const api = openApi(fixture)
    const owner = await fixture.user()
    const [user, other] = [await api.as(owner), await api.as(await fixture.user())]
    const id = await add(user)
    await fixture.toolkit.notices.deliveries.beginTest(owner, id)
    expect((await other.delete(`/api/notify/${id}`)).body).toMatchObject({ success: false })
    expect((await user.delete(`/api/notify/${id}`)).body).toMatchObject({ success: true })
    expect((await user.get('/api/notify/deliveries')).body.data).toEqual([])
  })
})

describe('POST /api/notify/:id/test', () => {
  test('sends immediately and returns the result', async () => {
    let status = 200
    const { url, seen } = await startUpstream(({ response }) => response.writeHead(status).end('because'))
    const fixture = await openTestGateway({ settings })
    const root = await openApi(fixture).as(fixture.root)
    const id = await add(root, { gateway: true, settings: { url, secret: SECRET } })
    expect((await root.post(`/api/notify/${id}/test`)).body.data).toMatchObject({ state: 'delivered', status: 200 })
    expect(seen).toMatchObject([{ body: { event: 'test', title: 'Test notice' } }])
    status = 500
    // A test that failed is not tried again.
    expect((await root.post(`/api/notify/${id}/test`)).body.data).toMatchObject({
      state: 'failed',
      status: 500,
      error: 'because',
      attempts: 1,
    })
  })

  test("rejects addresses in the gateway's network for users", async () => {
    const { url, seen } = await startUpstream(({ response }) => response.end())
    const fixture = await openTestGateway({ settings })
    const user = await openApi(fixture).as(await fixture.user())
    const id = await add(user, { settings: { url, secret: SECRET } })
    expect((await user.post(`/api/notify/${id}/test`)).body.data).toMatchObject({
      state: 'failed',
      error: 'its host is not a public one',
    })
    expect(seen).toEqual([])
  })
})

describe('GET /api/notify/deliveries', () => {
  test('pages by the last row, and filters by state', async () => {
    const fixture = await open()
    const owner = await fixture.user()
    const user = await openApi(fixture).as(owner)
    const id = await add(user)
    for (let count = 0; count < 5; count++) await fixture.toolkit.notices.deliveries.beginTest(owner, id)
    const first = (await user.get('/api/notify/deliveries?page_size=3')).body.data
    const second = (await user.get(`/api/notify/deliveries?page_size=3&before_id=${first[2].id}`)).body.data
    const ids = [...first, ...second].map((row: { id: number }) => row.id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(new Set(ids).size).toBe(5)
    expect((await user.get('/api/notify/deliveries?state=failed')).body.data).toEqual([])
    const other = await openApi(fixture).as(await fixture.user())
    expect((await other.get('/api/notify/deliveries')).body.data).toEqual([])
  })
})

describe('POST /api/notify/deliveries/:id/retry', () => {
  test('lets the job retry a failed delivery', async () => {
    let status = 500
    const { url, seen } = await startUpstream(({ response }) => response.writeHead(status).end())
    const fixture = await openTestGateway({ settings })
    const root = await openApi(fixture).as(fixture.root)
    const id = await add(root, { gateway: true, settings: { url, secret: SECRET } })
    const { data } = (await root.post(`/api/notify/${id}/test`)).body
    status = 204
    expect((await root.post(`/api/notify/deliveries/${data.id}/retry`)).body.data).toMatchObject({ state: 'pending' })
    const state = async () => (await root.get('/api/notify/deliveries?gateway=true')).body.data[0].state
    await expect.poll(state, { timeout: 20_000 }).toBe('delivered')
    expect(seen.map(({ headers }) => headers['tollgate-delivery'])).toEqual([String(data.id), String(data.id)])
    expect((await root.post(`/api/notify/deliveries/${data.id}/retry`)).body).toMatchObject({ success: false })
  }, 40_000)
})

describe('GET /api/notify/thresholds', () => {
  test("returns the caller's own", async () => {
    const fixture = await open()
    const owner = await fixture.user()
    const user = await openApi(fixture).as(owner)
    expect((await user.get('/api/notify/thresholds')).body.data).toEqual([])
    const own = { subject: 'user', subject_id: owner.id, percents: [50, 90] }
    await user.put('/api/notify/thresholds', own)
    expect((await user.get('/api/notify/thresholds')).body.data).toEqual([own])
    const root = await openApi(fixture).as(fixture.root)
    expect((await root.get(`/api/notify/thresholds?user_id=${owner.id}`)).body.data).toEqual([own])
    expect((await user.get(`/api/notify/thresholds?user_id=${fixture.root.id}`)).body).toMatchObject({ success: false })
  })
})

describe('PUT /api/notify/thresholds', () => {
  test('rejects those of others and invalid percentages', async () => {
    const fixture = await open()
    const owner = await fixture.user()
    const user = await openApi(fixture).as(owner)
    for (const change of [
      { subject_id: fixture.root.id },
      { percents: [0] },
      { percents: ['x'] },
      { subject: 'channel' },
    ]) {
      const body = { subject: 'user', subject_id: owner.id, percents: [50], ...change }
      expect((await user.put('/api/notify/thresholds', body)).body, JSON.stringify(change)).toMatchObject({
        success: false,
      })
    }
  })
})
