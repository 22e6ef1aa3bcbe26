import { describe, expect, test } from 'vitest'
import { type ApiClient, openApi } from '../../support/api.ts'
import { customer } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { bill, PASSWORD } from '../../support/toolkit.ts'

const openGateway = reused()

async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  const admin = await fixture.user({ role: 10, quota: 10 })
  const common = await fixture.user({ quota: 100, group: 'vip' })
  return { ...fixture, api, admin, common, asRoot: await api.as(fixture.root), asAdmin: await api.as(admin) }
}
type Fixture = Awaited<ReturnType<typeof open>>

const refused = (message: string | RegExp) => ({
  status: 200,
  body: { success: false, message: typeof message === 'string' ? message : expect.stringMatching(message) },
})
const DONE = { status: 200, body: { success: true, message: '' } }
const NOT_FOUND = refused('用户不存在')
const IDS = ['0', '-1', '1.5', 'abc', '99999999999', '2147483648', '%00']

/** Another root user, as an imported deployment may have one. */
async function secondRoot(fixture: Fixture) {
  const person = await fixture.user()
  await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ role: 100 }))
  return person
}

describe('GET /api/user/', () => {
  test('pages through all users, newest first, deleted ones included, without a secret', async () => {
    const { asRoot, common, toolkit, root } = await open()
    await toolkit.accessTokens.create(root)
    const accessToken = await toolkit.accessTokens.own(root)
    await toolkit.accounts.manage(root, common.id, 'delete')

    const answer = await asRoot.get('/api/user/?p=0&page_size=2')

    expect(answer.body.data).toMatchObject({ total: 3, page: 1, page_size: 2 })
    expect(answer.body.data.items).toMatchObject([
      { id: common.id, DeletedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      { id: common.id - 1, DeletedAt: null, password: '', access_token: null },
    ])
    const second = await asRoot.get('/api/user/?p=2&page_size=2')
    expect(second.body.data.items).toMatchObject([{ id: root.id }])
    expect(answer.text + second.text).not.toMatch(/argon2/)
    expect(answer.text + second.text).not.toContain(accessToken)
  })

  test.each(['', '?p=NaN&page_size=', '?p=-3&page_size=-1', '?p=x', '?p=1&p=2', '?unknown=1'])(
    'reads %j leniently',
    async (query) => {
      const { asRoot } = await open()
      const { body } = await asRoot.get(`/api/user/${query}`)
      expect(body.data).toMatchObject({ total: 3, page: 1, page_size: 10 })
      expect(body.data.items).toHaveLength(3)
    },
  )

  test('shows administrators all users except root', async () => {
    const { asAdmin, common, admin } = await open()
    for (const path of [
      '?page_size=10',
      'search?page_size=10',
      'search?keyword=root',
      'search?role=100',
      'search?keyword=1',
    ]) {
      const { items, total } = (await asAdmin.get(`/api/user/${path}`)).body.data
      const ids = items.map(({ id }: { id: number }) => id)
      expect(total).toBe(ids.length)
      expect([common.id, admin.id]).toEqual(expect.arrayContaining(ids))
    }
    expect((await asAdmin.get('/api/user/')).body.data.total).toBe(2)
  })

  test('an unknown page is empty', async () => {
    const { asRoot } = await open()
    const { body } = await asRoot.get('/api/user/?p=999999999999999&page_size=1000')
    expect(body).toMatchObject({ success: true, data: { items: [], total: 3 } })
  })
})

describe('GET /api/user/search', () => {
  test('finds by part of a name, by id and by group', async () => {
    const { asRoot, common, user } = await open()
    await user({ username: 'ann_1', display_name: 'Ännchen' })
    const names = async (query: Record<string, string>) => {
      const { body } = await asRoot.get(`/api/user/search?${new URLSearchParams(query)}`)
      return body.data.items.map(({ username }: { username: string }) => username)
    }

    expect(await names({ keyword: 'NN_' })).toEqual(['ann_1'])
    expect(await names({ keyword: 'nnchen' })).toEqual(['ann_1'])
    expect(await names({ keyword: String(common.id), group: 'vip' })).toEqual([common.username])
    expect(await names({ group: 'vip' })).toEqual([common.username])
    expect(await names({ group: 'vi' })).toEqual([])
    expect(await names({ role: '100' })).toEqual(['root'])
    expect(await names({ status: '2' })).toEqual([])
    expect(await names({ deleted: 'true' })).toEqual([])
    expect(await names({ keyword: '%' })).toEqual([])
    expect(await names({ keyword: '', group: '' })).toHaveLength(4)
    expect(await names({ keyword: `' OR 1=1 --` })).toEqual([])
  })

  test('rejects texts that cannot be a name', async () => {
    const { asAdmin } = await open()
    expect(await asAdmin.get('/api/user/search?keyword=a%00b')).toMatchObject(refused(/keyword.*NUL/))
    expect(await asAdmin.get(`/api/user/search?keyword=${'x'.repeat(2000)}`)).toMatchObject(refused(/keyword/))
  })
})

describe('GET /api/user/:id', () => {
  test('shows a user of a lower level, without the access token', async () => {
    const { asAdmin, common, toolkit } = await open()
    await toolkit.accessTokens.create(common)
    const { body } = await asAdmin.get(`/api/user/${common.id}`)
    expect(body).toMatchObject({
      success: true,
      data: { id: common.id, password: '', access_token: null, group: 'vip' },
    })
  })

  test('root reads its own row; no other user reads the same or a higher level', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, admin, root, user } = fixture
    const message = refused('无权获取同级或更高等级用户的信息')
    const peers = [root.id, admin.id, (await user({ role: 10 })).id]

    for (const id of peers) expect(await asAdmin.get(`/api/user/${id}`)).toMatchObject(message)
    expect(await asRoot.get(`/api/user/${(await secondRoot(fixture)).id}`)).toMatchObject(message)
    expect((await asRoot.get(`/api/user/${root.id}`)).body.data).toMatchObject({ id: root.id, role: 100 })
  })

  test('does not find an unknown or deleted user', async () => {
    const { asRoot, common, toolkit, root } = await open()
    await toolkit.accounts.manage(root, common.id, 'delete')
    for (const id of [common.id, 999]) expect(await asRoot.get(`/api/user/${id}`)).toMatchObject(NOT_FOUND)
  })

  test.each(IDS)('rejects the id %s', async (id) => {
    const { asRoot } = await open()
    expect(await asRoot.get(`/api/user/${id}`)).toMatchObject(refused(/id/))
  })
})

describe('GET /api/user/by-name', () => {
  const named = (client: ApiClient, username: string) =>
    client.get(`/api/user/by-name?${new URLSearchParams({ username })}`)

  test('finds only by the whole name, and by level', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, common, admin, root } = fixture
    expect((await named(asAdmin, common.username)).body.data).toMatchObject({ id: common.id, access_token: null })
    expect((await named(asAdmin, admin.username)).body.data).toMatchObject({ id: admin.id })
    expect(await named(asAdmin, common.username.slice(0, -1))).toMatchObject(NOT_FOUND)
    const level = refused('无权获取同级或更高等级用户的信息')
    expect(await named(asAdmin, root.username)).toMatchObject(level)
    expect(await named(asRoot, (await secondRoot(fixture)).username)).toMatchObject(level)
    expect(await asRoot.get('/api/user/by-name')).toMatchObject(refused(/username/))
  })
})

describe('POST /api/user/:id/quota', () => {
  const adjust = (client: ApiClient, id: number | string, by: unknown) => client.post(`/api/user/${id}/quota`, { by })

  test('adds and subtracts, with a ledger entry for each', async () => {
    const { asAdmin, common, toolkit } = await open()
    expect((await adjust(asAdmin, common.id, 50)).body.data).toMatchObject({ id: common.id, quota: 150 })
    expect((await adjust(asAdmin, common.id, -150)).body.data).toMatchObject({ quota: 0 })
    const entries = toolkit.db.reader('ledger_entries').where({ user_id: common.id, kind: 'edit' }).orderBy('id')
    expect(await entries).toMatchObject([{ quota: 50 }, { quota: -150, balance_after: 0 }])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('changes once per key, however often it is called, and rejects the key for other calls', async () => {
    const { asAdmin, asRoot, common, balance } = await open()
    const key = { 'idempotency-key': 'invoice-17' }
    const by = (amount: number, headers = key, client = asAdmin) =>
      client.post(`/api/user/${common.id}/quota`, { by: amount }, headers)
    const answers = await Promise.all(Array.from({ length: 5 }, () => by(-80)))
    for (const { body } of answers) expect(body).toMatchObject({ success: true, data: { id: common.id, quota: 20 } })

    expect((await by(-81)).body).toMatchObject({ success: false, message: expect.stringContaining('invoice-17') })
    expect((await by(1, { 'idempotency-key': ' ' })).body).toMatchObject({ success: false })
    expect(await balance(common)).toBe(20)
    // Keys belong to one user each, and the key of a rejected request is free again.
    expect((await by(-21, { 'idempotency-key': 'too-much' })).body).toMatchObject({ success: false })
    expect((await by(5, { 'idempotency-key': 'too-much' })).body.data).toMatchObject({ quota: 25 })
    expect((await by(-2, key, asRoot)).body.data).toMatchObject({ quota: 23 })
  })

  test('rejects a negative result, a fraction, and users of the same level', async () => {
    const { asAdmin, common, admin, root, balance } = await open()
    for (const by of [-101, 1e16, 1.5, '5', null, undefined]) {
      expect((await adjust(asAdmin, common.id, by)).body).toMatchObject({ success: false })
    }
    for (const { id } of [admin, root]) {
      const level = refused('无权更新同权限等级或更高权限等级的用户信息')
      expect(await adjust(asAdmin, id, 5)).toMatchObject(level)
    }
    expect(await balance(common)).toBe(100)
    expect(await balance(admin)).toBe(10)
  })
})

describe('POST /api/user/', () => {
  const create = (client: ApiClient, fields: object = {}) =>
    client.post('/api/user/', { username: 'ann', password: PASSWORD, ...fields })

  test('creates a common user of the default group with the documented quota, despite other fields in the request', async () => {
    const { asRoot, toolkit, root } = await open()
    await toolkit.options.set(root, 'QuotaForNewUser', '42')

    const fields = { role: 10, quota: 1e9, group: 'vip', email: 'a@example.org', display_name: '' }
    expect(await create(asRoot, fields)).toMatchObject(DONE)

    expect(await toolkit.accounts.getByName(root, 'ann')).toMatchObject({
      display_name: 'ann',
      role: 1,
      quota: 42,
      group: 'default',
      email: '',
    })
    expect(await toolkit.accounts.login({ username: 'ann', password: PASSWORD })).toMatchObject({
      user: { username: 'ann' },
    })
  })

  test('with return=record creates the user with that role, group and quota, and returns it', async () => {
    const { asRoot, toolkit, root } = await open()
    const { body } = await asRoot.post('/api/user/?answer=record&quota=7&group=vip', {
      username: 'ann',
      password: PASSWORD,
      role: 10,
    })
    expect(body.data).toMatchObject({ username: 'ann', role: 10, quota: 7, group: 'vip', password: '' })
    expect(await toolkit.accounts.getByName(root, 'ann')).toEqual(body.data)
  })

  test.each([
    ['asAdmin', 10],
    ['asAdmin', 100],
    ['asRoot', 100],
  ] as const)('%s with the role %d is rejected', async (who, role) => {
    const { [who]: client, toolkit, root } = await open()
    const level = refused('无法创建权限大于等于自己的用户')
    expect(await create(client, { role })).toMatchObject(level)
    const record = await client.post('/api/user/?answer=record', { username: 'ann', password: PASSWORD, role })
    expect(record).toMatchObject(level)
    await expect(toolkit.accounts.getByName(root, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })

  test('of a used name is rejected', async () => {
    const { asAdmin, common } = await open()
    const taken = refused('用户名已存在，或已注销')
    expect(await create(asAdmin, { username: common.username })).toMatchObject(taken)
  })

  test.each([
    [{ username: ' ' }, /username/],
    [{ username: undefined }, /username/],
    [{ username: 'x'.repeat(13) }, /输入不合法.*username/],
    [{ password: '' }, /password/],
    [{ password: 'short' }, /输入不合法.*password/],
    [{ display_name: 'x'.repeat(21) }, /输入不合法.*display_name/],
    [{ username: 5 }, /username/],
    [{ password: [] }, /password/],
    [{ display_name: {} }, /display_name/],
    [{ role: '1' }, /role/],
    [{ role: 1e12 }, /role/],
    [{ username: 'a\0' }, /username.*NUL/],
  ])('with %j names the field', async (fields, message) => {
    const { asRoot } = await open()
    expect(await create(asRoot, fields)).toMatchObject(refused(message))
  })
})

describe('PUT /api/user/', () => {
  test('accepts a whole record, changes writable fields, and adds a ledger entry for the quota', async () => {
    const { asAdmin, common, toolkit, root, admin } = await open()
    const { body } = await asAdmin.get(`/api/user/${common.id}`)

    const changes = { username: 'ann', display_name: 'Ann', group: 'default', quota: 500_100 }
    const others = { role: 1, status: 2, email: 'x@example.org', aff_quota: 7, used_quota: 7, key: common.id }
    expect(await asAdmin.put('/api/user/', { ...body.data, ...others, ...changes })).toMatchObject(DONE)

    expect(await toolkit.accounts.get(root, common.id)).toEqual({ ...body.data, ...changes })
    const entry = await toolkit.db.reader('ledger_entries').where({ user_id: common.id, kind: 'edit' })
    expect(entry).toMatchObject([{ quota: 500_000, balance_after: 500_100, actor_id: admin.id }])
    const { items } = await toolkit.logs.list(root, { type: 3 })
    expect(items).toMatchObject([
      { user_id: common.id, content: '管理员将用户额度从 ＄0.000200 额度修改为 ＄1.000200 额度' },
    ])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('keeps absent fields, and writes no log without a change of quota', async () => {
    const { asAdmin, common, toolkit, root } = await open()
    const before = await toolkit.accounts.get(root, common.id)
    expect(await asAdmin.put('/api/user/', { id: common.id })).toMatchObject(DONE)
    expect(await asAdmin.put('/api/user/', { id: common.id, quota: 100, group: null, password: '' })).toMatchObject(
      DONE,
    )
    expect(await toolkit.accounts.get(root, common.id)).toEqual(before)
    expect(await toolkit.logs.list(root, { type: 3 })).toMatchObject({ total: 0 })
  })

  test('with a new password signs the user out', async () => {
    const { asAdmin, api, common, toolkit } = await open()
    const client = await api.as(common)
    expect(await asAdmin.put('/api/user/', { id: common.id, password: 'a new secret' })).toMatchObject(DONE)
    expect((await client.get('/api/user/self')).status).toBe(401)
    const { username } = common
    expect(await toolkit.accounts.login({ username, password: 'a new secret' })).toMatchObject({
      user: { id: common.id },
    })
  })

  test('root edits its own row, and stays signed in with a new password', async () => {
    const { asRoot, root, toolkit } = await open()
    const { body } = await asRoot.get(`/api/user/${root.id}`)
    const changes = { display_name: 'Boss', password: 'a new secret' }

    expect(await asRoot.put('/api/user/', { ...body.data, ...changes })).toMatchObject(DONE)

    expect((await asRoot.get('/api/user/self')).body.data).toMatchObject({ display_name: 'Boss', role: 100 })
    expect(await toolkit.db.reader('sessions').where({ user_id: root.id })).toHaveLength(1)
  })

  test('of the same or a higher level is rejected, and so is promoting a user to it', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, admin, root, common, user, toolkit } = fixture
    const level = refused('无权更新同权限等级或更高权限等级的用户信息')
    const raise = refused('无权将其他用户权限等级提升到大于等于自己的权限等级')
    const other = await user({ role: 10 })

    for (const { id } of [root, admin, other]) {
      expect(await asAdmin.put('/api/user/', { id, quota: 9, password: 'hijacked!' })).toMatchObject(level)
    }
    expect(await asRoot.put('/api/user/', { id: (await secondRoot(fixture)).id, quota: 9 })).toMatchObject(level)
    for (const role of [10, 100]) {
      expect(await asAdmin.put('/api/user/', { id: common.id, role, quota: 9 })).toMatchObject(raise)
    }
    expect(await asRoot.put('/api/user/', { id: common.id, role: 100 })).toMatchObject(raise)

    expect(await toolkit.accounts.get(root, common.id)).toMatchObject({ quota: 100, role: 1 })
    expect(await toolkit.accounts.get(root, admin.id)).toMatchObject({ quota: 10 })
  })

  test('of an unknown or deleted user is rejected', async () => {
    const { asRoot, common, toolkit, root } = await open()
    await toolkit.accounts.manage(root, common.id, 'delete')
    for (const id of [common.id, 999]) {
      expect(await asRoot.put('/api/user/', { id, quota: 9, username: 'x' })).toMatchObject(NOT_FOUND)
    }
  })

  test('to a used name is rejected, and nothing else is changed', async () => {
    const { asRoot, common, admin, toolkit, root } = await open()
    const changes = { id: common.id, username: admin.username, quota: 9 }
    expect(await asRoot.put('/api/user/', changes)).toMatchObject(refused('用户名已存在，或已注销'))
    expect(await toolkit.accounts.get(root, common.id)).toMatchObject({ quota: 100 })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('keeps an unchanged negative balance, but sets none', async () => {
    const fixture = await open()
    const { asRoot, common, toolkit, root } = fixture
    const hold = await toolkit.ledger.hold({ userId: common.id, budgetTokenId: 0, quota: 100 })
    await toolkit.ledger.settle(hold, bill(common, { quota: 150 }))

    expect(await asRoot.put('/api/user/', { id: common.id, quota: -50, display_name: 'A' })).toMatchObject(DONE)
    expect(await asRoot.put('/api/user/', { id: common.id, quota: -40 })).toMatchObject(refused(/quota/))
    expect(await toolkit.accounts.get(root, common.id)).toMatchObject({ quota: -50, display_name: 'A' })
  })

  test.each([
    [{ id: undefined }, /id/],
    [{ id: 0 }, /id/],
    [{ id: '2' }, /id/],
    [{ id: 1e12 }, /id/],
    [{ username: '' }, /username/],
    [{ username: 'x'.repeat(13) }, /输入不合法.*username/],
    [{ display_name: 'x'.repeat(21) }, /输入不合法.*display_name/],
    [{ password: 'short' }, /输入不合法.*password/],
    [{ group: '' }, /group/],
    [{ group: 'x'.repeat(65) }, /group/],
    [{ group: 7 }, /group/],
    [{ quota: 1.5 }, /quota/],
    [{ quota: '5' }, /quota/],
    [{ quota: 1e16 }, /quota/],
    [{ quota: -1 }, /quota/],
    [{ role: 'root' }, /role/],
    [{ group: 'a\0b' }, /group.*NUL/],
  ])('with %j names the field', async (fields, message) => {
    const { asRoot, common } = await open()
    expect(await asRoot.put('/api/user/', { id: common.id, ...fields })).toMatchObject(refused(message))
  })
})

describe('POST /api/user/manage', () => {
  const manage = (client: ApiClient, id: unknown, action: unknown) => client.post('/api/user/manage', { id, action })

  test('returns the new level and status, and nothing else of the user', async () => {
    const { asRoot, common } = await open()
    const levels = []
    for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
      const { body } = await manage(asRoot, common.id, action)
      expect(body).toMatchObject({ success: true, data: { id: 0, username: '', group: '', quota: 0, DeletedAt: null } })
      levels.push([action, body.data.role, body.data.status])
    }
    expect(levels).toEqual([
      ['promote', 10, 1],
      ['demote', 1, 1],
      ['disable', 1, 2],
      ['enable', 1, 1],
      ['delete', 1, 1],
    ])
  })

  test('with return=record returns the user', async () => {
    const { asRoot, common } = await open()
    const { body } = await asRoot.post('/api/user/manage?answer=record', { id: common.id, action: 'promote' })
    expect(body.data).toMatchObject({ id: common.id, username: common.username, group: 'vip', role: 10, quota: 100 })
  })

  test.each(['disable', 'delete', 'promote'])('%s signs the user out, and applies immediately', async (action) => {
    const { asRoot, api, common } = await open()
    const [client, script] = [await api.as(common), await api.byAccessToken(common)]

    await manage(asRoot, common.id, action)

    expect((await client.get('/api/user/self')).status).toBe(401)
    expect((await script.get('/api/user/self')).body.success).toBe(false)
    expect((await script.get('/api/user/')).body.success).toBe(false)
    if (action !== 'promote') return
    const renewed = await api.byAccessToken(common)
    expect((await renewed.get('/api/user/')).body.success).toBe(true)
  })

  test('disable stops the keys of the user within a second, and enable restores them', async () => {
    const fixture = await open()
    const { person, key } = await customer(fixture)
    const models = async () =>
      (await fetch(`${fixture.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await models()).toBe(200)

    await manage(fixture.asAdmin, person.id, 'disable')
    expect(await models()).toBe(403)
    await manage(fixture.asAdmin, person.id, 'enable')
    expect(await models()).toBe(200)
  })

  test('follows the levels, with the documented texts', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, admin, root, common, user } = fixture
    const other = await user({ role: 10 })
    const level = refused('无权更新同权限等级或更高权限等级的用户信息')

    for (const action of ['enable', 'disable', 'delete', 'promote', 'demote']) {
      for (const { id } of [admin, other, root]) expect(await manage(asAdmin, id, action)).toMatchObject(level)
      expect(await manage(asRoot, (await secondRoot(fixture)).id, action)).toMatchObject(level)
    }
    expect(await manage(asAdmin, common.id, 'promote')).toMatchObject(refused('普通管理员用户无法提升其他用户为管理员'))
    expect(await manage(asRoot, admin.id, 'promote')).toMatchObject(refused('该用户已经是管理员'))
    expect(await manage(asRoot, common.id, 'demote')).toMatchObject(refused('该用户已经是普通用户'))
    expect(await manage(asRoot, root.id, 'disable')).toMatchObject(refused('无法禁用超级管理员用户'))
    expect(await manage(asRoot, root.id, 'delete')).toMatchObject(refused('无法删除超级管理员用户'))
    expect(await manage(asRoot, root.id, 'demote')).toMatchObject(refused('无法降级超级管理员用户'))
  })

  test('does not restore deleted users', async () => {
    const { asRoot, common, toolkit } = await open()
    await manage(asRoot, common.id, 'delete')
    for (const action of ['delete', 'enable', 'promote', 'disable']) {
      expect((await manage(asRoot, common.id, action)).body).toMatchObject({
        success: true,
        data: { role: 1, status: 1 },
      })
    }
    const row = await toolkit.db.reader('users').where({ id: common.id }).first('role', 'status', 'deleted_at')
    expect(row).toEqual({ role: 1, status: 1, deleted_at: expect.any(String) })
  })

  test.each([
    [undefined, 'disable', /id/],
    [0, 'disable', /id/],
    [null, 'disable', /id/],
    ['2', 'disable', /id/],
    [1.5, 'disable', /id/],
    [3e9, 'disable', /id/],
    [2, undefined, /action/],
    [2, 'ban', /action.*enable, disable, delete, promote, demote/],
    [2, 'toString', /action/],
    [2, 7, /action/],
    [999, 'disable', '用户不存在'],
  ])('rejects id %j with action %j', async (id, action, message) => {
    const { asRoot } = await open()
    expect(await manage(asRoot, id, action)).toMatchObject(refused(message))
  })
})

describe('DELETE /api/user/:id', () => {
  test('deletes the user with sessions and keys; ledger and logs stay', async () => {
    const fixture = await open()
    const { person, key } = await customer(fixture)
    const client = await fixture.api.as(person)
    await fixture.charge(person, { quota: 30 })
    const models = async () =>
      (await fetch(`${fixture.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await models()).toBe(200)

    expect(await fixture.asAdmin.delete(`/api/user/${person.id}`)).toMatchObject(DONE)

    expect(await models()).toBe(401)
    expect((await client.get('/api/user/self')).status).toBe(401)
    expect(await fixture.asAdmin.delete(`/api/user/${person.id}`)).toMatchObject(NOT_FOUND)
    expect((await fixture.asAdmin.get('/api/user/')).text).not.toContain(person.username)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    expect(await fixture.toolkit.logs.list(fixture.root, { username: person.username, type: 2 })).toMatchObject({
      total: 1,
    })
  })

  test('of the same or a higher level is rejected, also for root and its own row', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, admin, root, user } = fixture
    const level = refused('无权删除同权限等级或更高权限等级的用户')
    for (const { id } of [admin, root, await user({ role: 10 })]) {
      expect(await asAdmin.delete(`/api/user/${id}`)).toMatchObject(level)
    }
    for (const { id } of [root, await secondRoot(fixture)]) {
      expect(await asRoot.delete(`/api/user/${id}`)).toMatchObject(level)
    }
    expect(await asRoot.delete(`/api/user/${admin.id}`)).toMatchObject(DONE)
  })

  test.each(IDS)('rejects the id %s', async (id) => {
    const { asRoot } = await open()
    expect(await asRoot.delete(`/api/user/${id}`)).toMatchObject(refused(/id/))
  })
})

test.each([
  ['get', '/api/user/'],
  ['get', '/api/user/search'],
  ['get', '/api/user/1'],
  ['get', '/api/user/by-name?username=root'],
  ['post', '/api/user/1/quota'],
  ['post', '/api/user/'],
  ['put', '/api/user/'],
  ['post', '/api/user/manage'],
  ['delete', '/api/user/1'],
] as const)('%s %s is for administrators', async (method, path) => {
  const { api, common } = await open()
  expect(await (await api.as(common))[method](path)).toMatchObject(refused('无权进行此操作，权限不足'))
  expect((await api.anonymous()[method](path)).status).toBe(401)
})
