import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

async function open() {
  const fixture = await openGateway()
  const [admin, owner, other] = [await fixture.user({ role: ROLE.admin }), await fixture.user(), await fixture.user()]
  const token = await fixture.token(owner)
  const api = openApi(fixture)
  const limit = { subject: 'token', subject_id: String(token.id), measure: 'requests', period: 'minute', amount: 10 }
  return { ...fixture, api, admin, owner, other, token, limit }
}

const errorOf = ({ headers }: { headers: Headers }) =>
  JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? '{}'))

describe('PUT /api/limit/', () => {
  test('lets owners limit their keys, and administrators everything; the audit has the actor', async () => {
    const { api, admin, owner, other, limit, toolkit, root } = await open()
    const put = async (who: typeof admin, wanted: object) =>
      (await api.as(who)).put('/api/limit/', { limits: [{ ...limit, ...wanted }] })

    expect((await put(owner, {})).body.data).toMatchObject([{ ...limit, action: 'reject', time_zone: '' }])
    expect(errorOf(await put(other, {}))).toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    expect(errorOf(await put(owner, { subject_id: '*' }))).toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(errorOf(await put(owner, { subject: 'user', subject_id: String(owner.id) }))).toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    const [set] = (await put(admin, { amount: 5 })).body.data
    expect(errorOf(await put(owner, { amount: 500 }))).toMatchObject({ code: 'LIMIT_NOT_OWN' })
    const rows = await toolkit.audit.list(root, { object: `limit:${set.id}` })
    expect(rows).toMatchObject([{ action: 'limit.set', before: { amount: 10 }, after: { amount: 5 } }])
  })

  test.each([
    [{ amount: 0 }, 'FIELD_RANGE'],
    [{ amount: -1 }, 'FIELD_RANGE'],
    [{ period: 'none' }, 'LIMIT_PERIOD'],
    [{ measure: 'concurrent' }, 'LIMIT_PERIOD'],
    [{ time_zone: 'Mars/Phobos' }, 'LIMIT_TIME_ZONE'],
    [{ action: 'queue' }, 'FIELD_WHOLE_NUMBER'],
    [{ wait_seconds: 5 }, 'FIELD_RANGE'],
    [{ subject: 'channel', subject_id: '1', measure: 'quota' }, 'LIMIT_MEASURE'],
    [{ subject: 'address', subject_id: 'here' }, 'LIMIT_SUBJECT'],
    [{ subject: 'user', subject_id: '01' }, 'LIMIT_SUBJECT'],
    [{ subject: 'channel', subject_id: '999999' }, 'CHANNEL_NOT_FOUND'],
    [{ subject: 'group', subject_id: 'no-such-group' }, 'GROUP_NOT_FOUND'],
  ])('rejects %j', async (wrong, code) => {
    const { api, admin, limit } = await open()
    const answer = await (await api.as(admin)).put('/api/limit/', { limits: [{ ...limit, ...wrong }] })
    expect(errorOf(answer)).toMatchObject({ code })
  })

  test('says that only queue waits', async () => {
    const { api, admin, limit } = await open()
    const answer = await (await api.as(admin)).put('/api/limit/', { limits: [{ ...limit, wait_seconds: 5 }] })
    expect(answer.body.message).toContain('wait_seconds 仅用于动作 queue')
  })

  test('sets all or none, and rejects a window made void by a longer one', async () => {
    const { api, admin, limit } = await open()
    const client = await api.as(admin)
    const limits = [limit, { ...limit, period: 'day', amount: 5 }]
    const answer = await client.put('/api/limit/', { limits })
    expect(errorOf(answer)).toMatchObject({ code: 'LIMIT_CONTRADICTS' })
    expect(answer.body.message).toBe('限制互相矛盾：每分钟 10 次请求永远无法达到，因为每天只允许 5')
    const query = `subject=token&subject_id=${limit.subject_id}`
    expect((await client.get(`/api/limit/?${query}`)).body.data).toEqual([])
  })
})

describe('GET /api/limit/', () => {
  test('shows users only the limits of their own keys and account', async () => {
    const { api, admin, owner, other, limit } = await open()
    const client = await api.as(admin)
    const account = { ...limit, subject: 'user', subject_id: String(owner.id) }
    await client.put('/api/limit/', { limits: [limit, account, { ...limit, subject: 'model', subject_id: 'gpt-4o' }] })

    const ownLimits = (await (await api.as(owner)).get('/api/limit/')).body.data
    expect(ownLimits.map(({ subject }: { subject: string }) => subject).sort()).toEqual(['token', 'user'])
    expect((await (await api.as(other)).get('/api/limit/')).body.data).toEqual([])
  })
})

describe('GET /api/limit/status', () => {
  test('shows users the usage of a default by their own keys and account', async () => {
    const { api, admin, owner, token, limit } = await open()
    const each = { ...limit, subject_id: '*', amount: 7 }
    const made = (await (await api.as(admin)).put('/api/limit/', { limits: [each] })).body.data

    const status = (await (await api.as(owner)).get('/api/limit/status')).body.data
    expect(status).toMatchObject([{ subject_id: String(token.id), name: token.name, used: 0, remaining: 7 }])
    await (await api.as(admin)).delete(`/api/limit/${made[0].id}`)
  })

  test('shows users neither names nor usage of others', async () => {
    const { api, admin, owner, other, limit } = await open()
    const each = { ...limit, subject: 'user', subject_id: '*', amount: 7 }
    const made = (await (await api.as(admin)).put('/api/limit/', { limits: [each] })).body.data
    const path = `/api/limit/status?subject=user&subject_id=${owner.id}`

    expect((await (await api.as(owner)).get(path)).body.data).toMatchObject([{ name: owner.username }])
    expect((await (await api.as(other)).get(path)).body.data).toEqual([])
    await (await api.as(admin)).delete(`/api/limit/${made[0].id}`)
  })
})

describe('GET /api/limit/learned', () => {
  test('is for administrators', async () => {
    const { api, admin, owner } = await open()
    expect((await (await api.as(admin)).get('/api/limit/learned')).body.data).toEqual([])
    expect(errorOf(await (await api.as(owner)).get('/api/limit/learned'))).toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})

describe('DELETE /api/limit/:id', () => {
  test("lets owners remove their own limits, but not an administrator's", async () => {
    const { api, admin, owner, other, limit } = await open()
    const [client, own] = [await api.as(admin), await api.as(owner)]
    const [mine] = (await own.put('/api/limit/', { limits: [limit] })).body.data
    const [theirs] = (await client.put('/api/limit/', { limits: [{ ...limit, period: 'day', amount: 99 }] })).body.data

    expect(errorOf(await (await api.as(other)).delete(`/api/limit/${mine.id}`))).toMatchObject({
      code: 'LIMIT_NOT_FOUND',
    })
    expect(errorOf(await own.delete(`/api/limit/${theirs.id}`))).toMatchObject({ code: 'LIMIT_NOT_OWN' })
    expect((await own.delete(`/api/limit/${mine.id}`)).body.data).toMatchObject({ id: mine.id })
    expect(errorOf(await client.delete(`/api/limit/${mine.id}`))).toMatchObject({ code: 'LIMIT_NOT_FOUND' })
  })
})
