import { describe, expect, test } from 'vitest'
import { type ApiClient, openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'
import type { TestOptions } from '../../support/toolkit.ts'

const openGateway = reused()

const HOUR_S = 3600
const HUGE = '999999999999999'

async function open(options: TestOptions = {}) {
  const fixture = await openGateway(options)
  const api = openApi(fixture)
  const owner = await fixture.user()
  const ownClient = await api.as(owner)
  const other = await api.as(await fixture.user())
  const root = await api.as(fixture.root)
  const later = Math.floor(Date.now() / 1000) + HOUR_S
  /** Makes a token and answers it as the list has it. */
  const make = async (body: object = {}) => {
    expect((await ownClient.post('/api/token/', { name: 'mine', ...body })).body).toEqual({
      success: true,
      message: '',
    })
    return newest(ownClient)
  }
  return { ...fixture, api, owner, own: ownClient, other, rootClient: root, later, make }
}

const newest = async (client: ApiClient) => (await client.get('/api/token/?p=0&size=1')).body.data[0]
const refusal = (message: string | RegExp) => ({ success: false, message: expect.stringMatching(message) })

describe('GET /api/token/', () => {
  test("returns the user's tokens as a plain array, newest first, with every documented field and the whole key", async () => {
    const { own, owner, make } = await open()
    await make({ name: 'first' })
    await make({ name: 'second', remain_quota: 500, model_limits: 'gpt-4o,o3', allow_ips: '10.0.0.0/8\n::1' })

    const { status, body } = await own.get('/api/token/?p=0&size=10')

    expect(status).toBe(200)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['second', 'first'])
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      user_id: owner.id,
      key: expect.stringMatching(/^[0-9a-zA-Z]{48}$/),
      status: 1,
      name: 'second',
      created_time: expect.any(Number),
      accessed_time: expect.any(Number),
      expired_time: -1,
      remain_quota: 500,
      store_responses: true,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o,o3',
      allow_ips: '10.0.0.0/8\n::1',
      used_quota: 0,
      group: '',
      DeletedAt: null,
    })
  })

  test('counts pages from 0, with ten rows by default and at most 100', async () => {
    const fixture = await open()
    for (let count = 0; count < 102; count++) await fixture.token(fixture.owner)
    const lengthOf = async (query: string) => (await fixture.own.get(`/api/token/${query}`)).body.data.length

    expect(await lengthOf('')).toBe(10)
    expect(await lengthOf('?p=0&size=0')).toBe(10)
    expect(await lengthOf('?p=0&size=-3')).toBe(10)
    expect(await lengthOf('?p=NaN&size=')).toBe(10)
    expect(await lengthOf('?p=-4&size=1000')).toBe(100)
    expect(await lengthOf('?p=1&size=100')).toBe(2)
    expect(await lengthOf(`?p=${HUGE}&size=100`)).toBe(0)
  })

  test('never shows the tokens of another user, not even to root', async () => {
    const { other, rootClient, make } = await open()
    await make()

    expect((await other.get('/api/token/')).body.data).toEqual([])
    expect((await rootClient.get('/api/token/')).body.data).toEqual([])
  })
})

describe('GET /api/token/search', () => {
  test('finds by a part of the name and a part of the key, or the whole key with its prefix', async () => {
    const { own, other, rootClient, make } = await open()
    const first = await make({ name: 'alpha' })
    await make({ name: 'alphabet' })
    const names = async (query: string, client = own) =>
      (await client.get(`/api/token/search?${query}`)).body.data.map(({ name }: { name: string }) => name)

    expect(await names('keyword=alpha')).toEqual(['alphabet', 'alpha'])
    expect(await names('')).toEqual(['alphabet', 'alpha'])
    expect(await names(`token=${first.key.slice(5, 30)}`)).toEqual(['alpha'])
    expect(await names(`token=sk-${first.key}`)).toEqual(['alpha'])
    expect(await names(`token=sk-sk-${first.key}`)).toEqual([])
    expect(await names(`keyword=bet&token=${first.key}`)).toEqual([])
    for (const client of [other, rootClient]) expect(await names(`token=${first.key}`, client)).toEqual([])
  })

  test('treats wildcards in the name as literals', async () => {
    const { own, make } = await open()
    await make({ name: '100%' })
    await make({ name: 'plain' })
    const search = async (keyword: string) =>
      (await own.get(`/api/token/search?keyword=${encodeURIComponent(keyword)}`)).body.data.length

    expect(await search('%')).toBe(1)
    expect(await search('_')).toBe(0)
    expect(await search('\\')).toBe(0)
  })

  test('rejects a keyword of more than 1000 characters', async () => {
    const { own } = await open()
    expect((await own.get(`/api/token/search?keyword=${'x'.repeat(1001)}`)).body).toEqual(refusal('keyword'))
  })
})

describe('GET /api/token/:id', () => {
  test("returns the user's token; one of another user is not found, for root too", async () => {
    const { own, other, rootClient, make } = await open()
    const token = await make()

    expect((await own.get(`/api/token/${token.id}`)).body.data).toEqual(token)
    const missing = (await other.get('/api/token/99999')).body
    for (const client of [other, rootClient]) {
      const { body } = await client.get(`/api/token/${token.id}`)
      expect(body).toEqual({ success: false, message: missing.message?.replace('99999', String(token.id)) })
    }
  })

  test.each(['0', 'x', '1.5', '-1', '99999999999999999999', '%00'])('rejects the id %s', async (id) => {
    const { own } = await open()
    const { status, body } = await own.get(`/api/token/${id}`)
    expect([status, body.success]).toEqual([200, false])
  })
})

describe('POST /api/token/', () => {
  test('creates a token without expiry for 0 and for no expiry, and does not return the key', async () => {
    const { make, later } = await open()

    expect(await make({ expired_time: 0 })).toMatchObject({ expired_time: -1, status: 1, remain_quota: 0 })
    expect(await make()).toMatchObject({ expired_time: -1 })
    expect(await make({ expired_time: later })).toMatchObject({ expired_time: later })
  })

  test('allows one name twice, ignores read-only fields, and treats nulls as absent', async () => {
    const { make, other, own } = await open()
    const first = await make({ name: 'same' })

    const second = await make({
      name: 'same',
      key: 'chosen',
      user_id: 1,
      status: 3,
      used_quota: 7,
      created_time: null,
      allow_ips: null,
      timestamp2string: 'x',
    })

    expect(second).toMatchObject({ name: 'same', status: 1, used_quota: 0, user_id: first.user_id, allow_ips: '' })
    expect(second.key).not.toBe('chosen')
    expect((await other.get('/api/token/')).body.data).toEqual([])
    expect((await own.get('/api/token/')).body.data).toHaveLength(2)
  })

  test('allows names of 30 characters and rejects 31', async () => {
    const { own, make } = await open()

    expect(await make({ name: '名'.repeat(30) })).toMatchObject({ name: '名'.repeat(30) })
    const { body } = await own.post('/api/token/', { name: `${'名'.repeat(30)}x` })
    expect(body).toEqual({ success: false, message: '令牌名称过长' })
  })

  test.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 7 }],
    ['name', { name: 'x'.repeat(2000) }],
    ['name', { name: 'a\0b' }],
    ['expired_time', { name: 'x', expired_time: 1 }],
    ['expired_time', { name: 'x', expired_time: -2 }],
    ['expired_time', { name: 'x', expired_time: '2030-01-01' }],
    ['remain_quota', { name: 'x', remain_quota: -1 }],
    ['remain_quota', { name: 'x', remain_quota: 1.5 }],
    ['remain_quota', { name: 'x', remain_quota: '5' }],
    ['remain_quota', { name: 'x', remain_quota: 1e16 }],
    ['unlimited_quota', { name: 'x', unlimited_quota: 'yes' }],
    ['model_limits', { name: 'x', model_limits: ['gpt-4o'] }],
    ['allow_ips', { name: 'x', allow_ips: 'not an address' }],
    ['allow_ips', { name: 'x', allow_ips: '10.0.0.0/33' }],
    ['group', { name: 'x', group: 5 }],
    ['group', { name: 'x', group: 'x'.repeat(65) }],
  ])('names %s when it rejects %j, and creates nothing', async (field, body) => {
    const { own } = await open()

    const answer = await own.post('/api/token/', body)

    expect([answer.status, answer.body]).toEqual([200, refusal(field)])
    expect((await own.get('/api/token/')).body.data).toEqual([])
  })

  test.each(['', '[]', '"x"', 'null', '{', '7'])('rejects the body %s', async (body) => {
    const { own } = await open()
    const answer = await own.post('/api/token/', body)
    expect([answer.status, answer.body.success]).toEqual([200, false])
  })

  test('rejects a group that is unknown or not available to the owner', async () => {
    const { own, toolkit, root, make } = await open()

    expect((await own.post('/api/token/', { name: 'x', group: 'insiders' })).body).toEqual(refusal('无权访问该分组'))
    expect(await make({ group: 'vip' })).toMatchObject({ group: 'vip' })
    await toolkit.options.set(root, 'GroupRatio', JSON.stringify({ default: 1 }))
    expect((await own.post('/api/token/', { name: 'x', group: 'vip' })).body).toEqual(refusal('无权访问该分组'))
  })
})

describe('PUT /api/token/', () => {
  test('overwrites the given fields and returns the token; status, key and usage stay', async () => {
    const { own, make, later } = await open()
    const before = await make({ remain_quota: 5 })

    const changes = {
      name: 'renamed',
      expired_time: later,
      remain_quota: 900,
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: 'o3',
      allow_ips: '::1',
      group: 'vip',
    }
    const { body } = await own.put('/api/token/', {
      ...before,
      ...changes,
      status: 2,
      key: 'x',
      used_quota: 5,
      user_id: 1,
    })

    expect(body).toEqual({ success: true, message: '', data: { ...before, ...changes } })
    expect(await newest(own)).toEqual(body.data)
  })

  test('keeps absent fields: an edit of the name alone does not expire the token', async () => {
    const { own, make, later } = await open()
    const before = await make({ expired_time: later, remain_quota: 5, model_limits: 'o3', group: 'vip' })

    const { body } = await own.put('/api/token/', { id: before.id, name: 'renamed' })

    expect(body.data).toEqual({ ...before, name: 'renamed' })
  })

  test('accepts a record as read, although it could not be created', async () => {
    const { own, make, toolkit, root } = await open()
    const { id } = await make({ group: 'vip' })
    const past = { expired_time: 5, remain_quota: -20, status: 3, name: '名'.repeat(20), allow_ips: 'localhost' }
    await toolkit.db.transaction((trx) => trx('tokens').where({ id }).update(past))
    await toolkit.options.set(root, 'GroupRatio', JSON.stringify({ default: 1 }))
    const stored = await newest(own)

    const { body } = await own.put('/api/token/', { ...stored, remain_quota: -19, model_limits: 'o3' })

    expect(body.data).toEqual({ ...stored, model_limits: 'o3' })
    expect(stored).toMatchObject(past)
  })

  test('an expired token is changed first and enabled by a second call, and so is an exhausted one', async () => {
    const { own, make, toolkit, later } = await open()
    const { id } = await make()
    const spoil = (row: object) => toolkit.db.transaction((trx) => trx('tokens').where({ id }).update(row))
    const enable = () => own.put('/api/token/?status_only=true', { id, status: 1 })

    await spoil({ status: 3, expired_time: 5, remain_quota: 9 })
    const expired = '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期'
    expect((await enable()).body).toEqual({ success: false, message: expired })
    expect((await own.put('/api/token/', { id, status: 1, expired_time: later })).body.message).toBe(expired)
    expect((await own.put('/api/token/', { id, expired_time: later })).body.data).toMatchObject({ status: 3 })
    expect((await enable()).body.data).toMatchObject({ status: 1 })

    await spoil({ status: 4, remain_quota: 0 })
    const exhausted = '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度'
    expect((await enable()).body).toEqual({ success: false, message: exhausted })
    expect((await own.put('/api/token/', { id, remain_quota: 7 })).body.data).toMatchObject({ status: 4 })
    expect((await enable()).body.data).toMatchObject({ status: 1, remain_quota: 7 })
  })

  test('with status_only changes only the status, to 1 or 2', async () => {
    const { own, make } = await open()
    const before = await make({ remain_quota: 5 })
    const set = (body: object) => own.put('/api/token/?status_only=true', { id: before.id, name: 'ignored', ...body })

    expect((await set({ status: 2 })).body.data).toEqual({ ...before, status: 2 })
    expect((await set({ status: 1 })).body.data).toEqual(before)
    for (const status of [0, 3, 4, -1, '2', null, undefined]) {
      expect((await set({ status })).body).toEqual(refusal('status'))
    }
    expect(await newest(own)).toEqual(before)
  })

  test('does not find the token of another user, in either mode, for root either', async () => {
    const { own, other, rootClient, make } = await open()
    const before = await make()

    for (const client of [other, rootClient]) {
      for (const mode of ['', '?status_only=true']) {
        const missing = (await client.put(`/api/token/${mode}`, { id: 99999, status: 2, name: 'x' })).body.message
        const { body } = await client.put(`/api/token/${mode}`, { id: before.id, status: 2, name: 'x' })
        expect(body).toEqual({ success: false, message: missing?.replace('99999', String(before.id)) })
      }
    }
    expect(await newest(own)).toEqual(before)
  })

  test.each([
    ['id', { name: 'x', id: undefined }],
    ['id', { id: '1' }],
    ['id', { id: 1e12 }],
    ['name', { name: '' }],
    ['令牌名称过长', { name: 'x'.repeat(31) }],
    ['expired_time', { expired_time: 0 }],
    ['expired_time', { expired_time: 1 }],
    ['remain_quota', { remain_quota: -1 }],
    ['remain_quota', { remain_quota: 1e18 }],
    ['allow_ips', { allow_ips: 'x' }],
    ['无权访问该分组', { group: 'insiders' }],
    ['group', { group: 'x'.repeat(100) }],
  ])('names %s when it rejects %j, and changes nothing', async (named, wrong) => {
    const { own, make } = await open()
    const before = await make()

    const { status, body } = await own.put('/api/token/', { id: before.id, ...wrong })

    expect([status, body]).toEqual([200, refusal(named)])
    expect(await newest(own)).toEqual(before)
  })
})

describe('DELETE /api/token/:id', () => {
  test("deletes the user's token once, in both slash forms", async () => {
    const { own, make } = await open()
    const [first, second] = [await make(), await make()]

    expect((await own.delete(`/api/token/${first.id}`)).body).toEqual({ success: true, message: '' })
    expect((await own.delete(`/api/token/${second.id}/`)).body).toEqual({ success: true, message: '' })

    expect((await own.delete(`/api/token/${first.id}`)).body).toEqual(refusal(String(first.id)))
    expect((await own.get('/api/token/')).body.data).toEqual([])
  })

  test('does not find the token of another user, for root either', async () => {
    const { own, other, rootClient, make } = await open()
    const before = await make()

    for (const client of [other, rootClient]) {
      expect((await client.delete(`/api/token/${before.id}`)).body).toEqual(refusal(String(before.id)))
    }
    expect(await newest(own)).toEqual(before)
  })

  test.each(['0', 'x', '99999999999'])('rejects the id %s', async (id) => {
    const { own } = await open()
    const { status, body } = await own.delete(`/api/token/${id}`)
    expect([status, body.success]).toEqual([200, false])
  })
})

describe('GET /api/token/page', () => {
  test("returns the user's tokens with their number, and those of others to root only", async () => {
    const fixture = await openGateway()
    const person = await fixture.user()
    for (const name of ['a1', 'a2', 'b']) await fixture.token(person, { name })
    const ownClient = await openApi(fixture).byAccessToken(person)
    const { data } = (await ownClient.get('/api/token/page?p=1&page_size=1&keyword=a')).body
    expect(data).toMatchObject({ items: [{ name: 'a2' }], total: 2, page: 1, page_size: 1 })
    const root = await openApi(fixture).byAccessToken(fixture.root)
    expect((await root.get(`/api/token/page?user_id=${person.id}`)).body.data).toMatchObject({ total: 3 })
    expect((await ownClient.get('/api/token/page?user_id=1')).body.data?.items ?? []).toEqual([])
  })
})

describe('everybody=true, for root: GET, PUT and DELETE /api/token/:id', () => {
  test('reaches the tokens of others without their keys, for root only', async () => {
    const fixture = await openGateway()
    const [owner, admin] = [await fixture.user(), await fixture.user({ role: 10 })]
    const { id } = await fixture.token(owner, { name: 'hers' })
    const root = await openApi(fixture).as(fixture.root)
    const asRoot = await root.get(`/api/token/${id}?everybody=true`)
    expect(asRoot.body.data).toMatchObject({ id, name: 'hers', key: '' })
    const edited = await root.put('/api/token/?everybody=true', { id, name: 'renamed' })
    expect(edited.body.data).toMatchObject({ name: 'renamed', key: '' })
    const disabled = await root.put('/api/token/?everybody=true&status_only=true', { id, status: 2 })
    expect(disabled.body.data).toMatchObject({ status: 2, key: '' })

    for (const other of [await openApi(fixture).as(admin), await openApi(fixture).as(await fixture.user())]) {
      for (const { body } of [
        await other.get(`/api/token/${id}?everybody=true`),
        await other.put('/api/token/?everybody=true', { id, name: 'x' }),
        await other.delete(`/api/token/${id}?everybody=true`),
      ]) {
        expect(body).toEqual({ success: false, message: expect.stringContaining('不存在') })
      }
    }
    expect((await root.delete(`/api/token/${id}?everybody=true`)).body).toEqual({ success: true, message: '' })
    expect((await root.get(`/api/token/${id}?everybody=true`)).body.success).toBe(false)
  })
})

describe('POST /api/token/find', () => {
  test('finds like the documented search, with the key in the body', async () => {
    const fixture = await openGateway()
    const person = await fixture.user()
    const { id, key } = await fixture.token(person, { name: 'app' })
    await fixture.token(person, { name: 'other' })
    await fixture.token(fixture.root, { name: 'app' })
    const api = await openApi(fixture).as(person)
    const search = async (body: object) =>
      (await api.post('/api/token/find', body)).body.data.map((token: { id: number }) => token.id)

    expect(await search({ token: `sk-${key}` })).toEqual([id])
    expect(await search({ keyword: 'app', token: key.slice(5, 20) })).toEqual([id])
    expect(await search({ keyword: 'other', token: key })).toEqual([])
    expect(await search({})).toHaveLength(2)
  })
})
