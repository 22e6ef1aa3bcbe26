import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { customer } from '../../support/gateway.ts'
import { codeIn, configureMail, startMailServer } from '../../support/mail.ts'
import { reused } from '../../support/reused.ts'
import { banWithSessions, PASSWORD } from '../../support/toolkit.ts'

const openGateway = reused()

async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  const person = await fixture.user({ quota: 100 })
  return { ...fixture, api, person, client: await api.as(person) }
}

const refused = (message: string | RegExp) => ({
  status: 200,
  body: { success: false, message: typeof message === 'string' ? message : expect.stringMatching(message) },
})
const DONE = { status: 200, body: { success: true, message: '' } }

const USER_KEYS = [
  'id username password display_name role status email github_id wechat_id telegram_id linux_do_id oidc_id',
  'verification_code access_token quota used_quota request_count group aff_code aff_count aff_quota aff_history_quota',
  'inviter_id DeletedAt',
]
  .join(' ')
  .split(' ')

describe('GET /api/user/self', () => {
  test("has every documented field, the user's access token, and no password", async () => {
    const { client, person, api } = await open()

    const { body } = await client.get('/api/user/self')
    expect(Object.keys(body.data).sort()).toEqual([...USER_KEYS].sort())
    expect(body.data).toMatchObject({ id: person.id, quota: 100, password: '', access_token: null, DeletedAt: null })

    const script = await api.byAccessToken(person)
    const again = await script.get('/api/user/self')
    expect(again.body.data.access_token).toMatch(/^[\w+/=]{32}$/)
  })
})

describe('PUT /api/user/self', () => {
  test('accepts a whole record and changes only name, display name and password', async () => {
    const { client, toolkit, person } = await open()
    const { body } = await client.get('/api/user/self')

    const whole = { ...body.data, display_name: ' Ann ', username: 'ann', quota: 1e9, role: 100, group: 'vip', key: 7 }
    expect(await client.put('/api/user/self', whole)).toMatchObject(DONE)

    expect(await toolkit.profile.get(person)).toEqual({ ...body.data, display_name: 'Ann', username: 'ann' })
  })

  test('keeps fields that are empty, null or absent', async () => {
    const { client, toolkit, person } = await open()
    const before = await toolkit.profile.get(person)
    for (const body of [{}, { username: '', display_name: '', password: '' }, { username: null, display_name: '  ' }]) {
      expect(await client.put('/api/user/self', body)).toMatchObject(DONE)
    }
    expect(await toolkit.profile.get(person)).toEqual(before)
    expect(await client.get('/api/user/self')).toMatchObject({ status: 200 })
  })

  test('with a new password ends all other sessions, and this browser gets a new one', async () => {
    const { client, api, person, toolkit } = await open()
    const elsewhere = await api.as(person)
    const before = client.cookie()

    expect(await client.put('/api/user/self', { password: 'a new secret' })).toMatchObject(DONE)

    expect(client.cookie()).not.toBe(before)
    expect((await client.get('/api/user/self')).body.success).toBe(true)
    expect((await elsewhere.get('/api/user/self')).status).toBe(401)
    expect(await toolkit.sessions.find(before.split('=')[1] ?? '')).toBeUndefined()
    const login = (password: string) => toolkit.accounts.login({ username: person.username, password })
    await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG' })
    expect(await login('a new secret')).toMatchObject({ user: { id: person.id } })
  })

  test('by access token changes names, but no password', async () => {
    const { client, api, person } = await open()
    const script = await api.byAccessToken(person)

    expect(await script.put('/api/user/self', { password: 'a new secret' })).toMatchObject(refused(/系统访问令牌/))
    expect(await script.put('/api/user/self', { display_name: 'Script' })).toMatchObject(DONE)

    expect((await client.get('/api/user/self')).body.data.display_name).toBe('Script')
  })

  test('to a name of a user, or of a deleted user, is rejected', async () => {
    const { client, user, toolkit } = await open()
    const other = await user()
    const taken = refused('用户名已存在，或已注销')
    expect(await client.put('/api/user/self', { username: other.username })).toMatchObject(taken)
    await toolkit.profile.delete(other)
    expect(await client.put('/api/user/self', { username: other.username })).toMatchObject(taken)
  })

  test.each([
    [{ username: 'x'.repeat(13) }, /username.*1-12/],
    [{ display_name: 'x'.repeat(21) }, /display_name.*0-20/],
    [{ password: 'short' }, /password.*8-20/],
    [{ password: 'x'.repeat(21) }, /password.*8-20/],
    [{ username: 7 }, /username/],
    [{ display_name: ['x'] }, /display_name/],
    [{ password: true }, /password/],
    [{ username: 'a\0b' }, /username.*NUL/],
    ['[]', /./],
    ['{', /./],
  ])('with %j names the field', async (body, message) => {
    const { client } = await open()
    expect(await client.put('/api/user/self', body)).toMatchObject(refused(message))
  })
})

describe('POST /api/user/self/confirm', () => {
  test("accepts only the user's password", async () => {
    const { client, api, person } = await open()
    const confirm = (password: unknown) => client.post('/api/user/self/confirm', { password })

    expect(await confirm('wrong password')).toMatchObject(refused('当前密码错误'))
    expect(await confirm(5)).toMatchObject(refused(/password/))
    expect(await confirm(PASSWORD)).toMatchObject(DONE)
    const script = await api.byAccessToken(person)
    expect((await script.post('/api/user/self/confirm', { password: PASSWORD })).status).toBe(401)
  })
})

describe('DELETE /api/user/self', () => {
  test('ends the account, its sessions, access token and API keys', async () => {
    const fixture = await open()
    const { person, key } = await customer(fixture)
    const client = await fixture.api.as(person)
    const script = await fixture.api.byAccessToken(person)
    const models = () => fetch(`${fixture.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect((await models()).status).toBe(200)

    expect(await client.delete('/api/user/self')).toMatchObject(DONE)

    expect((await client.get('/api/user/self')).status).toBe(401)
    expect(await script.get('/api/user/self')).toMatchObject(refused('无权进行此操作，access token 无效'))
    expect((await models()).status).toBeGreaterThanOrEqual(401)
    expect(await client.get('/api/user/logout')).toMatchObject(DONE)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('is not for root', async () => {
    const { api, root } = await open()
    const client = await api.as(root)
    expect(await client.delete('/api/user/self')).toMatchObject(refused('不能删除超级管理员账户'))
    expect((await client.get('/api/user/self')).body.success).toBe(true)
  })
})

describe('GET /api/user/token', () => {
  test('returns a new access token, and invalidates the previous one', async () => {
    const { client, person, url } = await open()
    const call = async (authorization: string) => {
      const headers = { authorization, 'new-api-user': String(person.id) }
      return ((await (await fetch(`${url}/api/user/self`, { headers })).json()) as { success: boolean }).success
    }

    const [first, second] = [await client.get('/api/user/token'), await client.get('/api/user/token')]

    expect(first.body).toEqual({ success: true, message: '', data: expect.stringMatching(/^[\w+/=]{28,32}$/) })
    expect(await call(first.body.data)).toBe(false)
    expect(await call(second.body.data)).toBe(true)
    expect(await call(`Bearer ${second.body.data}`)).toBe(true)
    expect((await client.get('/api/user/self')).body.data.access_token).toBe(second.body.data)
  })
})

describe('GET /api/user/aff', () => {
  test('returns the same code every time, and creates a missing one', async () => {
    const { client, person, toolkit } = await open()
    const first = await client.get('/api/user/aff')
    expect(first.body).toEqual({ success: true, message: '', data: expect.stringMatching(/^[0-9a-zA-Z]{4}$/) })
    expect((await client.get('/api/user/aff')).body.data).toBe(first.body.data)

    await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ aff_code: null }))
    expect((await client.get('/api/user/aff')).body.data).toMatch(/^[0-9a-zA-Z]{4}$/)
  })
})

describe('POST /api/user/aff_transfer', () => {
  async function openEarner() {
    const fixture = await open()
    const { id } = fixture.person
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id }).update({ aff_quota: 1_200_000 }))
    const transfer = (quota: unknown, headers = {}) => fixture.client.post('/api/user/aff_transfer', { quota }, headers)
    return { ...fixture, transfer }
  }

  test('transfers earnings to the balance, with a message for the client', async () => {
    const { transfer, toolkit, person } = await openEarner()

    expect(await transfer(500_000)).toMatchObject({ status: 200, body: { success: true, message: '划转成功' } })
    expect(await transfer(600_000, { 'accept-language': 'en' })).toMatchObject({ body: { message: 'Transferred' } })

    expect(await toolkit.profile.get(person)).toMatchObject({ quota: 1_100_100, aff_quota: 100_000 })
    const entries = await toolkit.db.reader('ledger_entries').where({ user_id: person.id, kind: 'transfer' })
    expect(entries).toMatchObject([{ quota: 500_000, actor_id: person.id }, { quota: 600_000 }])
    expect(await toolkit.logs.list({ id: person.id, role: 1 }, { type: 1 })).toMatchObject({ total: 0 })
  })

  test('transfers once per key, however often it is called', async () => {
    const { transfer, toolkit, person } = await openEarner()
    const key = { 'idempotency-key': 'november' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => transfer(500_000, key)))
    for (const { body } of answers) expect(body).toMatchObject({ success: true, message: '划转成功' })
    expect(await toolkit.profile.get(person)).toMatchObject({ quota: 500_100, aff_quota: 700_000 })

    expect((await transfer(600_000, key)).body).toMatchObject({ success: false })
    expect(await transfer(500_000)).toMatchObject({ body: { success: true } })
    expect(await toolkit.profile.get(person)).toMatchObject({ quota: 1_000_100, aff_quota: 200_000 })
  })

  test.each([0, 1, 499_999, -500_000, -1e15])('of %d is below the minimum', async (quota) => {
    const { transfer, toolkit, person } = await openEarner()
    expect(await transfer(quota)).toMatchObject(refused('划转失败 转移额度最小为＄1.000000 额度！'))
    expect(await toolkit.profile.get(person)).toMatchObject({ quota: 100, aff_quota: 1_200_000 })
  })

  test.each([1_200_001, 1e15])('of %d exceeds the earnings', async (quota) => {
    const { transfer, toolkit, person } = await openEarner()
    expect(await transfer(quota)).toMatchObject(refused('划转失败 邀请额度不足！'))
    expect(await toolkit.profile.get(person)).toMatchObject({ quota: 100, aff_quota: 1_200_000 })
  })

  test.each([undefined, null, '500000', 500_000.5, 1e16, true, [500_000], {}])(
    'of %j names the field',
    async (quota) => {
      const { transfer } = await openEarner()
      expect(await transfer(quota)).toMatchObject(refused(/quota/))
    },
  )
})

describe('GET /api/oauth/email/bind', () => {
  async function openMailed() {
    const fixture = await open()
    const server = await startMailServer()
    await configureMail(fixture, server)
    const codeFor = async (email: string) => {
      await fixture.api.anonymous().get(`/api/verification?email=${email}`)
      return codeIn(server.newest(email))
    }
    const bind = (email: string, code: string, client = fixture.client) =>
      client.get(`/api/oauth/email/bind?${new URLSearchParams({ email, code })}`)
    return { ...fixture, codeFor, bind }
  }

  test('stores an address verified by a mailed code, once', async () => {
    const { codeFor, bind, client, api, user } = await openMailed()
    const code = await codeFor('ann@example.org')

    expect(await bind('ann@example.org', 'ffffff')).toMatchObject(refused('验证码错误或已过期'))
    expect(await bind('Ann@example.org', code)).toMatchObject(DONE)
    expect((await client.get('/api/user/self')).body.data.email).toBe('Ann@example.org')

    expect(await bind('ann@example.org', code)).toMatchObject(refused('验证码错误或已过期'))
    expect(await bind('ann@example.org', code, await api.as(await user()))).toMatchObject(refused('邮箱地址已被占用'))
  })

  test('requires a signed-in browser, and the user header', async () => {
    const { codeFor, bind, api, person, client, url, toolkit } = await openMailed()
    const code = await codeFor('ann@example.org')
    expect((await bind('ann@example.org', code, api.anonymous())).status).toBe(401)
    expect((await bind('ann@example.org', code, await api.byAccessToken(person))).status).toBe(401)
    await banWithSessions({ toolkit }, person.id)
    expect(await bind('ann@example.org', code)).toMatchObject(refused('用户已被封禁'))
    await banWithSessions({ toolkit }, person.id, 1)

    const path = `/api/oauth/email/bind?email=ann@example.org&code=${code}`
    const answer = await fetch(url + path, { headers: { cookie: client.cookie() } })

    expect(answer.status).toBe(401)
    expect((await bind('ann@example.org', code)).body).toEqual({ success: true, message: '' })
  })

  test.each([
    ['', 'abcdef', /email/],
    ['ann', 'abcdef', '无效的邮箱地址'],
    ['ann@example.org', '', '验证码错误或已过期'],
    ['ann@example.org', 'x'.repeat(2000), /code/],
    ['ann\0@example.org', 'abcdef', /NUL/],
  ])('rejects %j with the code %j', async (email, code, message) => {
    const { bind } = await openMailed()
    expect(await bind(email, code)).toMatchObject(refused(message))
  })
})

describe('PUT /api/user/self/email', () => {
  test('stores an address verified by a mailed code, for programs too', async () => {
    const { api, person, ...fixture } = await open()
    const server = await startMailServer()
    await configureMail(fixture, server)
    await api.anonymous().get('/api/verification?email=ann@example.org')
    const code = codeIn(server.newest('ann@example.org'))
    const program = await api.byAccessToken(person)
    const bind = (given: unknown) =>
      program.put('/api/user/self/email', {
        email: 'ann@example.org',
        code: given,
        current_password: PASSWORD,
      })

    expect(await bind('ffffff')).toMatchObject(refused('验证码错误或已过期'))
    expect(await bind(5)).toMatchObject(refused(/code/))
    expect(await bind(code)).toMatchObject(DONE)
    expect((await program.get('/api/user/self')).body.data.email).toBe('ann@example.org')
    expect(await bind(code)).toMatchObject(refused('验证码错误或已过期'))
  })
})

test.each([
  ['put', '/api/user/self/email'],
  ['post', '/api/user/self/confirm'],
  ['get', '/api/user/self'],
  ['put', '/api/user/self'],
  ['delete', '/api/user/self'],
  ['get', '/api/user/token'],
  ['get', '/api/user/aff'],
  ['post', '/api/user/aff_transfer'],
] as const)('%s %s is for signed-in users', async (method, path) => {
  const fixture = await openGateway()
  const { status, body } = await openApi(fixture).anonymous()[method](path)
  expect({ status, success: body.success }).toEqual({ status: 401, success: false })
})

describe('GET /api/user/identity', () => {
  test('returns the user of an access token, without the user header', async () => {
    const fixture = await openGateway()
    const person = await fixture.user()
    const token = await fixture.toolkit.accessTokens.create(person)
    const visitor = openApi(fixture).anonymous()
    const { body } = await visitor.get('/api/user/identity', { authorization: `Bearer ${token}` })
    expect(body.data).toEqual({ id: person.id, username: person.username, role: 1 })
    expect((await visitor.get('/api/user/identity')).status).toBe(401)
    await fixture.toolkit.accounts.manage(fixture.root, person.id, 'disable')
    const banned = await visitor.get('/api/user/identity', { authorization: token })
    expect(banned.body).toMatchObject({ success: false })
    expect(banned.body.data).toBeUndefined()
  })
})
