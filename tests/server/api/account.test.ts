import { describe, expect, test } from 'vitest'
import { type Api, type ApiClient, openApi } from '../../support/api.ts'
import type { Settings, TestGateway } from '../../support/gateway.ts'
import { codeIn, configureMail, type MailServer, startMailServer } from '../../support/mail.ts'
import { reused } from '../../support/reused.ts'
import { PASSWORD } from '../../support/toolkit.ts'

const openGateway = reused()

interface Fixture extends TestGateway {
  api: Api
  visitor: ApiClient
  set(options: Record<string, string>): Promise<void>
}

async function open(settings: Settings = {}): Promise<Fixture> {
  const fixture = await openGateway({ settings })
  const api = openApi(fixture)
  return {
    ...fixture,
    api,
    visitor: api.anonymous(),
    async set(options) {
      for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)
    },
  }
}

async function openWithMail(): Promise<Fixture & { server: MailServer }> {
  const fixture = await open()
  const server = await startMailServer()
  await configureMail(fixture, server)
  return { ...fixture, server }
}

const refused = (message: string | RegExp) => ({
  status: 200,
  body: { success: false, message: typeof message === 'string' ? message : expect.stringMatching(message) },
})
const DONE = { status: 200, body: { success: true, message: '' } }

const TEXT_FIELDS = [
  [7, /必须是字符串/],
  [true, /必须是字符串/],
  [['x'], /必须是字符串/],
  [{ $ne: '' }, /必须是字符串/],
  ['x\0y', /NUL/],
  ['x'.repeat(5000), /长度/],
] as const

describe('POST /api/user/register', () => {
  const register = (fixture: Fixture, fields: object = {}) =>
    fixture.visitor.post('/api/user/register', { username: 'ann', password: PASSWORD, ...fields })

  test('creates a common user who can sign in, but is not signed in yet', async () => {
    const fixture = await open()
    await fixture.set({ QuotaForNewUser: '1234' })

    const answer = await register(fixture, {
      username: ' ann ',
      password2: PASSWORD,
      role: 100,
      quota: 9,
      aff_code: '',
    })

    expect(answer).toMatchObject(DONE)
    expect(answer.body).not.toHaveProperty('data')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await fixture.toolkit.accounts.getByName(fixture.root, 'ann')).toMatchObject({
      display_name: 'ann',
      role: 1,
      status: 1,
      group: 'default',
      quota: 1234,
      email: '',
      inviter_id: 0,
    })
    const { body } = await fixture.visitor.post('/api/user/login', { username: 'ann', password: PASSWORD })
    expect(body).toMatchObject({ success: true, data: { username: 'ann' } })
  })

  test('also signs in on request, unless password sign-in is disabled', async () => {
    const fixture = await open()
    const signUp = (username: string) =>
      fixture.visitor.post('/api/user/register?answer=session', { username, password: PASSWORD })

    const answer = await signUp(' ann ')
    await fixture.set({ PasswordLoginEnabled: 'false' })
    const without = await signUp('bob')

    expect(answer.body).toMatchObject({ success: true, data: { username: 'ann', role: 1 } })
    expect(answer.headers.getSetCookie().join()).toContain('session=')
    expect(without).toMatchObject(DONE)
    expect(without.headers.getSetCookie()).toEqual([])
  })

  test('does not store an unverified address', async () => {
    const fixture = await open()
    expect(await register(fixture, { email: 'ann@example.org' })).toMatchObject(DONE)
    expect(await fixture.toolkit.accounts.getByName(fixture.root, 'ann')).toMatchObject({ email: '' })
  })

  test('stores a verified address, once per code', async () => {
    const fixture = await openWithMail()
    await fixture.set({ EmailVerificationEnabled: 'true' })
    await fixture.visitor.get('/api/verification?email=ann@example.org')
    const proof = { email: 'Ann@example.org', verification_code: codeIn(fixture.server.newest('ann@example.org')) }

    expect(await register(fixture, { ...proof, verification_code: '000000' })).toMatchObject(
      refused('验证码错误或已过期'),
    )
    expect(await register(fixture, proof)).toMatchObject(DONE)
    expect(await register(fixture, { ...proof, username: 'bob' })).toMatchObject(refused('邮箱地址已被占用'))

    expect(await fixture.toolkit.accounts.getByName(fixture.root, 'ann')).toMatchObject({ email: 'Ann@example.org' })
  })

  test.each([{}, { email: 'a@example.org' }, { verification_code: 'abcdef' }, { email: ' ', verification_code: 'x' }])(
    'with verification on and only %j requires address and code',
    async (fields) => {
      const fixture = await open()
      await fixture.set({ EmailVerificationEnabled: 'true' })
      expect(await register(fixture, fields)).toMatchObject(refused('管理员开启了邮箱验证，请输入邮箱地址和验证码'))
    },
  )

  test('by invitation is counted for the inviter; an unknown code is ignored', async () => {
    const fixture = await open()
    await fixture.set({ QuotaForInviter: '5', QuotaForInvitee: '3' })
    const inviter = await fixture.user()
    const aff_code = await fixture.toolkit.profile.inviteCode(inviter)

    await register(fixture, { aff_code })
    await register(fixture, { username: 'bob', aff_code: 'nope' })

    const get = (name: string) => fixture.toolkit.accounts.getByName(fixture.root, name)
    expect(await get('ann')).toMatchObject({ inviter_id: inviter.id, quota: 3 })
    expect(await get('bob')).toMatchObject({ inviter_id: 0, quota: 0 })
    expect(await get(inviter.username)).toMatchObject({ aff_count: 1, aff_quota: 5 })
  })

  test('creates a first API key if the operator enables it', async () => {
    const fixture = await open({ GENERATE_DEFAULT_TOKEN: 'true' })
    await register(fixture)

    const { id, role } = await fixture.toolkit.accounts.getByName(fixture.root, 'ann')
    const { items } = await fixture.toolkit.tokens.list({ id, role })
    expect(items).toMatchObject([
      { name: 'ann的初始令牌', unlimited_quota: true, expired_time: -1, remain_quota: 500_000, status: 1 },
    ])
  })

  test('gives the first API key a name longer than the input limit', async () => {
    const fixture = await open({ GENERATE_DEFAULT_TOKEN: 'true' })

    expect(await register(fixture, { username: '十二个字的用户名也可以的' })).toMatchObject(DONE)

    const { id, role } = await fixture.toolkit.accounts.getByName(fixture.root, '十二个字的用户名也可以的')
    const { items } = await fixture.toolkit.tokens.list({ id, role })
    expect(items).toMatchObject([{ name: '十二个字的用户名也可以的的初始令牌', status: 1 }])
  })

  test.each([
    ['RegisterEnabled', '管理员关闭了新用户注册'],
    ['PasswordRegisterEnabled', '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册'],
  ])('is disabled by the option %s', async (option, message) => {
    const fixture = await open()
    await fixture.set({ [option]: 'false' })
    expect(await register(fixture, { username: '' })).toMatchObject(refused(message))
  })

  test('of a name that exists, or belonged to a deleted user, is rejected', async () => {
    const fixture = await open()
    const person = await fixture.user()
    const taken = refused('用户名已存在，或已注销')
    expect(await register(fixture, { username: person.username })).toMatchObject(taken)
    await fixture.toolkit.accounts.manage(fixture.root, person.id, 'delete')
    expect(await register(fixture, { username: person.username })).toMatchObject(taken)
  })

  test.each([
    [{ username: '' }, /username/],
    [{ username: '  ' }, /username/],
    [{ username: 'x'.repeat(13) }, /输入不合法.*username.*1-12/],
    [{ password: '' }, /password/],
    [{ password: 'seven77' }, /输入不合法.*password.*8-20/],
    [{ password: 'x'.repeat(21) }, /输入不合法.*password.*8-20/],
    [{ password2: 'another one' }, /两次输入的密码不一致/],
    [{ username: 'a\nb' }, /username/],
    [{ username: 'a\u001b[31m' }, /username/],
    [{ username: 'a\ud800' }, /username/],
    [{ username: '\u200b' }, /username/],
    [{ username: 'ann\u202ebob' }, /username/],
    [{ username: 'ann\u00a0b' }, /username/],
    [{ username: 'a\u3164' }, /username/],
    [{ username: '\ufe0f\u0301' }, /username/],
    [{ username: 'a@b.example' }, /username/],
  ])('with %j names the field', async (fields, message) => {
    expect(await register(await open(), fields)).toMatchObject(refused(message))
  })

  test.each(['username', 'password', 'email', 'verification_code', 'aff_code'])(
    'rejects a %s of a wrong type, and names it',
    async (field) => {
      const fixture = await open()
      for (const [value, message] of TEXT_FIELDS) {
        const { status, body } = await register(fixture, { [field]: value })
        expect({ status, success: body.success }).toEqual({ status: 200, success: false })
        expect(body.message).toMatch(message)
        expect(body.message).toContain(field)
      }
    },
  )

  test('accepts a name with a space inside', async () => {
    expect(await register(await open(), { username: 'ann b' })).toMatchObject(DONE)
  })

  test('counts characters, not bytes', async () => {
    const fixture = await open()
    expect(await register(fixture, { username: '😀'.repeat(12), password: '密码密码密码密码' })).toMatchObject(DONE)
  })

  test.each(['', '{', '[]', 'null', '"x"'])('rejects the body %j', async (body) => {
    const { visitor } = await open()
    expect(await visitor.post('/api/user/register', body)).toMatchObject(refused(/./))
  })
})

describe('POST /api/user/login', () => {
  const login = (fixture: Fixture, credentials: unknown, headers = {}) =>
    fixture.visitor.post('/api/user/login', credentials, headers)

  test('accepts the email address as the name, in any spelling', async () => {
    const fixture = await open()
    const person = await fixture.user()
    await fixture.toolkit.db.transaction((trx) =>
      trx('users').where({ id: person.id }).update({ email: 'Ann@Example.org' }),
    )

    const { body } = await login(fixture, { username: 'ann@example.ORG ', password: PASSWORD })

    expect(body).toMatchObject({ success: true, data: { id: person.id, email: '' } })
  })

  test('starts a new session and ends the previous one', async () => {
    const fixture = await open()
    const person = await fixture.user()
    await login(fixture, { username: person.username, password: PASSWORD })
    const before = fixture.visitor.cookie().split('=')[1] ?? ''

    await login(fixture, { username: person.username, password: PASSWORD })

    expect(fixture.visitor.cookie()).not.toContain(before)
    expect(await fixture.toolkit.sessions.find(before)).toBeUndefined()
  })

  test('behind a TLS proxy sets a secure cookie', async () => {
    const fixture = await open({ TRUST_PROXY: '127.0.0.1' })
    const person = await fixture.user()
    const credentials = { username: person.username, password: PASSWORD }

    const { headers } = await login(fixture, credentials, { 'x-forwarded-proto': 'https' })
    const plain = await login(fixture, credentials)

    expect(headers.getSetCookie().join()).toMatch(/; Secure/)
    expect(plain.headers.getSetCookie().join()).not.toMatch(/; Secure/)
  })

  test.each([
    [{ username: ' \t', password: PASSWORD }, '用户名或密码为空'],
    [{ username: '', password: PASSWORD }, 'username 不能为空'],
    [{ username: 'ann', password: '' }, 'password 不能为空'],
    [{ username: 'ann' }, 'password 不能为空'],
    [{ username: 'ann', password: 12345678 }, 'password 必须是字符串'],
  ])('with %j names the missing field', async (credentials, message) => {
    expect(await login(await open(), credentials)).toMatchObject(refused(message))
  })

  test('can be disabled', async () => {
    const fixture = await open()
    await fixture.set({ PasswordLoginEnabled: 'false' })
    const message = '管理员关闭了密码登录'
    expect(await login(fixture, { username: 'root', password: PASSWORD })).toMatchObject(refused(message))
    expect(await login(fixture, { username: '', password: '' })).toMatchObject(refused(message))
  })

  test('of a deleted user is rejected like a wrong password', async () => {
    const fixture = await open()
    const person = await fixture.user()
    await fixture.toolkit.profile.delete(person)
    expect(await login(fixture, { username: person.username, password: PASSWORD })).toMatchObject(
      refused('用户名或密码错误，或用户已被封禁'),
    )
  })
})

describe('GET /api/user/logout', () => {
  test('ends the session, and works without one', async () => {
    const fixture = await open()
    const client = await fixture.api.as(fixture.root)
    const id = client.cookie().split('=')[1] ?? ''

    expect(await client.get('/api/user/logout')).toMatchObject(DONE)
    expect(client.cookie()).toBe('')
    expect(await fixture.toolkit.sessions.find(id)).toBeUndefined()
    expect(await client.get('/api/user/logout')).toMatchObject(DONE)
  })

  test.each(['image', 'iframe', 'script', 'style', 'object', 'document'])(
    'ignores calls from inside a page, and from its links: %s',
    async (destination) => {
      const fixture = await open()
      const client = await fixture.api.as(fixture.root)

      const answer = await client.get('/api/user/logout', { 'sec-fetch-dest': destination })
      // The same address, written in another way.
      expect((await client.get('/%61pi/user/logout', { 'sec-fetch-dest': destination })).body.success).toBe(false)

      expect(answer).toMatchObject(refused('无效的请求：管理接口不能由页面的图片、框架或链接调用'))
      expect(client.cookie()).not.toBe('')
      expect((await client.get('/api/user/self', { 'sec-fetch-dest': 'empty' })).status).toBe(200)
    },
  )
})

describe('a link of a page', () => {
  test.each([
    '/api/user/logout',
    '/api/oauth/email/bind',
    '/api/oauth/wechat',
    '/api/oauth/wechat/bind',
    '/api/oauth/telegram/login',
    '/api/oauth/telegram/bind',
  ])('does not act as its reader: %s', async (path) => {
    const fixture = await open()
    const client = await fixture.api.as(fixture.root)
    const message = '管理接口不能由页面的图片、框架或链接调用'

    for (const site of ['same-origin', 'same-site', 'cross-site']) {
      const answer = await client.get(path, { 'sec-fetch-dest': 'document', 'sec-fetch-site': site })
      expect(answer.body.message, site).toContain(message)
    }
    expect(client.cookie()).not.toBe('')
    const typed = await client.get(path, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' })
    expect(typed.body.message).not.toContain(message)
  })

  test('leads to read-only pages', async () => {
    const { visitor } = await open()
    const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }

    expect((await visitor.get('/api/notice', headers)).body.success).toBe(true)
  })
})

describe('GET /api/verification', () => {
  const ask = (fixture: Fixture, email: string) =>
    fixture.visitor.get(`/api/verification?email=${encodeURIComponent(email)}&turnstile=`)

  test('mails six characters, and never returns them', async () => {
    const fixture = await openWithMail()

    const answer = await ask(fixture, 'ann@example.org')

    expect(answer).toMatchObject(DONE)
    const mail = fixture.server.newest('ann@example.org')
    expect(codeIn(mail)).toMatch(/^[0-9a-f]{6}$/)
    expect(answer.text).not.toContain(codeIn(mail))
    expect(mail.body).toContain('10 分钟')
  })

  test('requires half a minute before the next one', async () => {
    const fixture = await openWithMail()
    await ask(fixture, 'ann@example.org')
    expect(await ask(fixture, 'ANN@example.org')).toMatchObject(refused(/邮件刚刚发送过，请 \d+ 秒后再试/))
    expect(fixture.server.mails).toHaveLength(1)
  })

  test.each([
    ['', '无效的参数：邮箱地址格式不正确'],
    ['ann', '无效的参数：邮箱地址格式不正确'],
    ['ann@b@example.org', '无效的邮箱地址'],
    ['ann@example.org\r\nBcc: eve@example.org', '无效的邮箱地址'],
    ['ann@example.org;eve@example.org', '无效的邮箱地址'],
    [`${'x'.repeat(50)}@example.org`, '无效的邮箱地址'],
    ['ann\0@example.org', 'email 不能包含空字符 (NUL)'],
    ['x'.repeat(2000), /email/],
  ])('rejects the address %j', async (email, message) => {
    const fixture = await openWithMail()
    expect(await ask(fixture, email)).toMatchObject(refused(message))
    expect(fixture.server.mails).toEqual([])
  })

  test('accepts only domains on the list, exactly', async () => {
    const fixture = await openWithMail()
    await fixture.set({ EmailDomainWhitelist: 'example.org, Example.com', EmailDomainRestrictionEnabled: 'true' })
    const message = /^The administrator has enabled the email domain name whitelist/

    for (const email of ['a@mail.example.org', 'a@example.net', 'a@notexample.org']) {
      expect(await ask(fixture, email)).toMatchObject(refused(message))
    }
    expect(await ask(fixture, 'a@EXAMPLE.org')).toMatchObject(DONE)
    expect(await ask(fixture, 'a@example.com')).toMatchObject(DONE)
  })

  test('rejects aliases if the operator wants that', async () => {
    const fixture = await openWithMail()
    await fixture.set({ EmailAliasRestrictionEnabled: 'true' })
    const message = '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。'
    for (const email of ['a+b@example.org', 'a.b@example.org']) {
      expect(await ask(fixture, email)).toMatchObject(refused(message))
    }
    expect(await ask(fixture, 'ab@example.org')).toMatchObject(DONE)
  })

  test('rejects an address of a user, or of a deleted user', async () => {
    const fixture = await openWithMail()
    const person = await fixture.user()
    await fixture.toolkit.db.transaction((trx) =>
      trx('users').where({ id: person.id }).update({ email: 'Ann@example.org' }),
    )
    expect(await ask(fixture, 'ann@example.org')).toMatchObject(refused('邮箱地址已被占用'))
    await fixture.toolkit.profile.delete(person)
    expect(await ask(fixture, 'ann@example.org')).toMatchObject(refused('邮箱地址已被占用'))
  })

  test('without a mail server names the missing option, and does not delay the next try', async () => {
    const fixture = await open()
    expect(await ask(fixture, 'ann@example.org')).toMatchObject(refused(/SMTP 服务器未配置.*SMTPServer/))
    await configureMail(fixture, await startMailServer())
    expect(await ask(fixture, 'ann@example.org')).toMatchObject(DONE)
  })

  test('with a mail server that rejects it says so without a secret', async () => {
    const fixture = await open()
    await configureMail(fixture, await startMailServer({ password: 'something else' }))
    const { body } = await ask(fixture, 'ann@example.org')
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^邮件发送失败：[^a-z]*（535）$/) })
    expect(body.message).not.toMatch(/mail-server-password|127\.0\.0\.1|gateway@/)
  })
})

describe('GET /api/reset_password', () => {
  const ask = (fixture: Fixture, email: string) =>
    fixture.visitor.get(`/api/reset_password?email=${encodeURIComponent(email)}`)

  test('mails a link to the address of the account', async () => {
    const fixture = await openWithMail()
    await fixture.set({ ServerAddress: 'https://gate.example.org' })
    await mailed(fixture)

    expect(await ask(fixture, 'ANN+x@example.org')).toMatchObject(DONE)

    const { body } = fixture.server.newest('ann+x@example.org')
    expect(
      body.match(/https:\/\/gate\.example\.org\/user\/reset\?email=ann%2Bx%40example\.org&amp;token=[0-9a-f]{32}/g),
    ).toHaveLength(2)
    expect(await ask(fixture, 'ann+x@example.org')).toMatchObject(refused(/秒后再试/))
  })

  test('rejects an address of no account, or of a deleted one', async () => {
    const fixture = await openWithMail()
    const person = await mailed(fixture)
    expect(await ask(fixture, 'missing@example.org')).toMatchObject(refused('该邮箱地址未注册'))
    await fixture.toolkit.profile.delete(person)
    expect(await ask(fixture, 'ann+x@example.org')).toMatchObject(refused('该邮箱地址未注册'))
    expect(fixture.server.mails).toEqual([])
  })

  test.each([
    ['', '无效的参数：邮箱地址格式不正确'],
    ['ann', '无效的参数：邮箱地址格式不正确'],
  ])('rejects the address %j', async (email, message) => {
    expect(await ask(await open(), email)).toMatchObject(refused(message))
  })
})

/** A user who has an address. */
async function mailed(fixture: Fixture) {
  const person = await fixture.user()
  await fixture.toolkit.db.transaction((trx) =>
    trx('users').where({ id: person.id }).update({ email: 'ann+x@example.org' }),
  )
  return person
}

describe('POST /api/user/reset', () => {
  async function openLink() {
    const fixture = await openWithMail()
    const person = await mailed(fixture)
    await fixture.visitor.get('/api/reset_password?email=ann%2Bx@example.org')
    const [, token = ''] = /token=([0-9a-f]{32})/.exec(fixture.server.newest('ann+x@example.org').body) ?? []
    const reset = (body: unknown) => fixture.visitor.post('/api/user/reset', body)
    return { ...fixture, person, token, reset }
  }

  test('returns a new password, once, and signs the user out everywhere', async () => {
    const { api, toolkit, person, token, reset, visitor } = await openLink()
    const elsewhere = await api.as(person)
    const accessToken = await toolkit.accessTokens.create(person)

    const answer = await reset({ email: 'Ann+X@example.org', token })

    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, data: expect.stringMatching(/^[0-9a-f]{12}$/) },
    })
    expect((await elsewhere.get('/api/user/self')).status).toBe(401)
    expect(await toolkit.accessTokens.find(accessToken)).toBeUndefined()
    const { username } = person
    const login = (password: string) => visitor.post('/api/user/login', { username, password })
    expect((await login(PASSWORD)).body.success).toBe(false)
    expect((await login(answer.body.data)).body.success).toBe(true)
    expect(await reset({ email: 'ann+x@example.org', token })).toMatchObject(refused('重置链接非法或已过期'))
  })

  test('cannot be invalidated by a stranger who guesses', async () => {
    const { token, reset } = await openLink()
    for (let guess = 0; guess < 6; guess++) {
      expect((await reset({ email: 'ann+x@example.org', token: `${guess}`.repeat(32) })).body.success).toBe(false)
    }
    expect((await reset({ email: 'ann+x@example.org', token })).body.success).toBe(true)
  })

  test('used concurrently returns one password', async () => {
    const { token, reset } = await openLink()
    const answers = await Promise.all(Array.from({ length: 8 }, () => reset({ email: 'ann+x@example.org', token })))
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })

  test('with another address, another link or a registration code is rejected', async () => {
    const { token, reset, visitor, server } = await openLink()
    await visitor.get('/api/verification?email=bob@example.org')
    const invalid = refused('重置链接非法或已过期')
    expect(await reset({ email: 'bob@example.org', token })).toMatchObject(invalid)
    expect(await reset({ email: 'bob@example.org', token: codeIn(server.newest('bob@example.org')) })).toMatchObject(
      invalid,
    )
    expect(await reset({ email: 'ann+x@example.org', token: '0'.repeat(32) })).toMatchObject(invalid)
    expect((await reset({ email: 'ann+x@example.org', token })).body.success).toBe(true)
  })

  test.each([
    [{}, /email/],
    [{ email: '', token: 'x' }, /email/],
    [{ email: 'a@example.org' }, /token/],
    [{ email: 'a@example.org', token: '' }, /token/],
    [{ email: 'a@example.org', token: 7 }, /token/],
    [{ email: ['a@example.org'], token: 'x' }, /email/],
  ])('with %j names the field', async (body, message) => {
    const { visitor } = await open()
    expect(await visitor.post('/api/user/reset', body)).toMatchObject(refused(message))
  })
})

test('sign-in, registration and mails share one limit for an address', async () => {
  const fixture = await open({
    CRITICAL_RATE_LIMIT_ENABLE: 'true',
    CRITICAL_RATE_LIMIT: '4',
    CRITICAL_RATE_LIMIT_DURATION: '60',
  })
  const { visitor } = fixture
  const answers = [
    await visitor.post('/api/user/login', {}),
    await visitor.post('/api/user/register', {}),
    await visitor.get('/api/verification'),
    await visitor.get('/api/reset_password'),
    await visitor.post('/api/user/reset', {}),
    await visitor.post('/api/user/login', {}),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  expect(answers[4]?.text).toBe('')
})
