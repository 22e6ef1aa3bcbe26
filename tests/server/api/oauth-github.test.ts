import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig, resolveSettings } from '../../../core/config.ts'
import { startGateway } from '../../../server/gateway.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { sendJson } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { reused } from '../../support/reused.ts'
import { GITHUB_APP, startGitHub } from '../../support/sign-in/github.ts'
import { TROUBLE } from '../../support/sign-in/trouble.ts'
import {
  beginSignIn,
  comeBack,
  countUsers,
  ENGLISH,
  setOptions,
  signInWith,
  softDelete,
  userOf,
} from '../../support/sign-in/visit.ts'
import { banWithSessions } from '../../support/toolkit.ts'

const TOKEN_PATH = 'POST /login/oauth/access_token'
const USER_PATH = 'GET /api/v3/user'
const ANN = { login: 'ann', id: 583_231, name: 'Ann Example', email: 'ann@example.org' }
const services = (url: string) => ({ GITHUB_URL: url, GITHUB_API_URL: `${url}/api/v3` })

const provider = shared(startGitHub)
const openGateway = reused(() => ({ settings: services(provider().url) }))

async function openFixture() {
  const github = provider()
  github.forget()
  const fixture = await openGateway()
  await setOptions(fixture, {
    GitHubClientId: GITHUB_APP.client_id,
    GitHubClientSecret: GITHUB_APP.client_secret,
    GitHubOAuthEnabled: 'true',
  })
  const api = openApi(fixture)
  return { ...fixture, github, api, browser: api.anonymous() }
}

describe('GET /api/oauth/github', () => {
  test('creates a user at the first sign-in, with the reply of a password login', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { QuotaForNewUser: '700' })
    const deleted = await fixture.user()
    await softDelete(fixture, deleted.id)

    const { status, body, headers } = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

    const id = deleted.id + 1
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: '',
      data: {
        id,
        username: `github_${id}`,
        display_name: 'Ann Example',
        role: 1,
        status: 1,
        group: 'default',
        password: '',
        email: '',
        github_id: '',
        wechat_id: '',
        telegram_id: '',
        linux_do_id: '',
        oidc_id: '',
        verification_code: '',
        access_token: null,
        quota: 0,
        used_quota: 0,
        request_count: 0,
        aff_code: '',
        aff_count: 0,
        aff_quota: 0,
        aff_history_quota: 0,
        inviter_id: 0,
        DeletedAt: null,
      },
    })
    expect(await userOf(fixture, id)).toMatchObject({ github_id: 'ann', email: 'ann@example.org', quota: 700 })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
    const self = await fixture.browser.get('/api/user/self', { 'New-Api-User': String(id) })
    expect(self.body.data).toMatchObject({ id, github_id: 'ann' })
  })

  test('recognizes a known user, also while registration is disabled', async () => {
    const fixture = await openFixture()
    const first = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))
    await setOptions(fixture, { RegisterEnabled: 'false' })

    const again = await signInWith(fixture.api.anonymous(), 'github', fixture.github.allow({ ...ANN, name: 'Ann 2' }))

    expect(again.body).toEqual(first.body)
    expect(await countUsers(fixture)).toBe(2)
  })

  test('the browser is recognized at its next sign-in from another address', async () => {
    const fixture = await openTestGateway({ settings: { ...services(provider().url), TRUST_PROXY: '127.0.0.1' } })
    await setOptions(fixture, {
      GitHubClientId: GITHUB_APP.client_id,
      GitHubClientSecret: GITHUB_APP.client_secret,
      GitHubOAuthEnabled: 'true',
    })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const first = await signInWith(openApi(fixture).anonymous(), 'github', provider().allow(ANN), from('203.0.113.1'))
    await fixture.toolkit.notices.targets.create(first.body.data, {
      kind: 'webhook',
      name: 'hook',
      settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
      events: ['sign-in.new'],
    })
    const device = first.headers.getSetCookie().find((cookie) => cookie.includes('Path=/api/oauth')) ?? ''
    const signedOut = openApi(fixture).anonymous()
    const state = await beginSignIn(signedOut)
    const cookie = `${signedOut.cookie()}; ${device.split(';')[0]}`
    const again = { code: provider().allow(ANN), state }
    expect((await comeBack(signedOut, 'github', again, { ...from('203.0.113.2'), cookie })).body.success).toBe(true)
    expect(await fixture.toolkit.db.reader('notices').where({ event: 'sign-in.new' })).toEqual([])

    await signInWith(openApi(fixture).anonymous(), 'github', provider().allow(ANN), from('203.0.113.3'))
    expect(await fixture.toolkit.db.reader('notices').where({ event: 'sign-in.new' })).toHaveLength(1)
  })

  test('the session of the visitor ends: its old id does not sign in', async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.browser)
    const before = fixture.browser.cookie()

    const { body } = await comeBack(fixture.browser, 'github', { code: fixture.github.allow(ANN), state })

    expect(body.success).toBe(true)
    expect(fixture.browser.cookie()).not.toBe(before)
    const planted = await fixture.api.anonymous().get('/api/user/self', { cookie: before, 'New-Api-User': '2' })
    expect(planted.status).toBe(401)
    expect(await fixture.toolkit.sessions.data(before.replace('session=', ''))).toBeUndefined()
  })

  test('the owner of the sent invite code is the inviter, and is paid', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { QuotaForInviter: '50', QuotaForInvitee: '20' })
    const inviter = await fixture.user()
    const { aff_code } = await userOf(fixture, inviter.id)
    const state = await beginSignIn(fixture.browser, `?aff=${aff_code}`)

    const { body } = await comeBack(fixture.browser, 'github', { code: fixture.github.allow(ANN), state })

    expect(await userOf(fixture, body.data.id)).toMatchObject({ inviter_id: inviter.id, quota: 20 })
    expect(await userOf(fixture, inviter.id)).toMatchObject({ aff_count: 1, aff_quota: 50, aff_history_quota: 50 })
  })

  test.each([
    { what: 'no name and no address', github: { login: 'bob', name: null, email: null }, shown: 'GitHub User' },
    { what: 'a number for a name', github: { login: 'bob', name: 7, email: 7 }, shown: 'GitHub User' },
    {
      what: 'a name that is long and full of invisible characters',
      github: { login: 'bob', name: `\u0000\u202e\ud800${'名'.repeat(500)}`, email: 'not an address' },
      shown: '名'.repeat(20),
    },
    {
      what: 'an address of 300 characters',
      github: { login: 'bob', email: `${'a'.repeat(300)}@x.org` },
      shown: 'GitHub User',
    },
  ])('accepts a user with $what', async ({ github, shown }) => {
    const fixture = await openFixture()

    const { body } = await signInWith(fixture.browser, 'github', fixture.github.allow(github))

    expect(body.data.display_name).toBe(shown)
    expect((await userOf(fixture, body.data.id)).email).toBe('')
  })

  test('an address of another user is not stored again, in any spelling', async () => {
    const fixture = await openFixture()
    const first = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

    const second = await signInWith(
      fixture.api.anonymous(),
      'github',
      fixture.github.allow({ login: 'eve', email: 'ANN@Example.org' }),
    )

    expect((await userOf(fixture, first.body.data.id)).email).toBe('ann@example.org')
    expect(await userOf(fixture, second.body.data.id)).toMatchObject({ github_id: 'eve', email: '' })
  })

  const forged: Record<string, (state: string) => Record<string, string>> = {
    'without a state': () => ({}),
    'with an empty one': () => ({ state: '' }),
    'with another': (state) => ({ state: `${state.slice(0, -1)}-` }),
    'with a longer one': (state) => ({ state: `${state}x` }),
  }
  test.each(Object.entries(forged))('%s is 403, before the request to GitHub and any other check', async (_, query) => {
    const fixture = await openFixture()
    await setOptions(fixture, { GitHubOAuthEnabled: 'false' })
    const state = await beginSignIn(fixture.browser)

    const { status, body } = await comeBack(fixture.browser, 'github', query(state))

    expect({ status, body }).toEqual({ status: 403, body: { success: false, message: 'state is empty or not same' } })
    expect(fixture.github.seen).toEqual([])
  })

  test('a state of another browser is 403', async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.api.anonymous())
    await beginSignIn(fixture.browser)

    for (const browser of [fixture.browser, fixture.api.anonymous()]) {
      const { status } = await comeBack(browser, 'github', { code: fixture.github.allow(ANN), state })
      expect(status).toBe(403)
    }
  })

  test('a state is valid for one try: of ten concurrent tries, one signs in', async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.browser)
    const cookie = fixture.browser.cookie()

    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        comeBack(fixture.api.anonymous(), 'github', { code: fixture.github.allow(ANN), state }, { cookie }),
      ),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(403)])
    expect(await countUsers(fixture)).toBe(2)
  })

  test('a wrong state invalidates the right one', async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.browser)
    await comeBack(fixture.browser, 'github', { code: 'x', state: 'guess' })

    const { status } = await comeBack(fixture.browser, 'github', { code: fixture.github.allow(ANN), state })

    expect(status).toBe(403)
  })

  test('an empty code is rejected after the switch', async () => {
    const fixture = await openFixture()

    const empty = await signInWith(fixture.browser, 'github', '')
    await setOptions(fixture, { GitHubOAuthEnabled: 'false' })
    const off = await signInWith(fixture.browser, 'github', '')

    expect(empty.body).toEqual({ success: false, message: '无效的参数：code' })
    expect(off.body).toEqual({ success: false, message: '管理员未开启通过 GitHub 登录以及注册' })
    expect(fixture.github.seen).toEqual([])
  })

  test.each([
    [{ code: 'x'.repeat(5000), state: 's' }, /^code must have/],
    [{ code: 'x', state: 's'.repeat(300) }, /^state must have/],
    [{ code: 'a\u0000', state: 's' }, /^code must not contain/],
  ])('a field out of bounds is named', async (query, message) => {
    const { browser } = await openFixture()

    const { status, body } = await comeBack(browser, 'github', query, ENGLISH)

    expect({ status, success: body.success, message: body.message }).toEqual({
      status: 200,
      success: false,
      message: expect.stringMatching(message),
    })
  })

  test('a user who declined there gets that message', async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.browser)
    const declined = {
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
      state,
    }

    const { body } = await comeBack(fixture.browser, 'github', declined)

    expect(body.message).toBe('GitHub 拒绝了登录：The user has denied your application access.')
  })

  test('a new user gets a message that registration is disabled', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { RegisterEnabled: 'false' })

    const { body } = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

    expect(body).toEqual({ success: false, message: '管理员关闭了新用户注册' })
    expect(await countUsers(fixture)).toBe(1)
  })

  test('a banned or deleted user gets no session', async () => {
    const fixture = await openFixture()
    const { body: known } = await signInWith(fixture.api.anonymous(), 'github', fixture.github.allow(ANN))
    await fixture.toolkit.accounts.manage(fixture.root, known.data.id, 'disable')

    const banned = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))
    await softDelete(fixture, known.data.id)
    const deleted = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

    expect(banned.body).toEqual({ success: false, message: '用户已被封禁' })
    expect(deleted.body).toEqual({ success: false, message: '用户已注销' })
    expect([...banned.headers.getSetCookie(), ...deleted.headers.getSetCookie()]).toEqual([])
    expect(await countUsers(fixture)).toBe(2)
  })

  describe('already signed in', () => {
    async function openBound() {
      const fixture = await openFixture()
      const person = await fixture.user()
      return { ...fixture, person, browser: await fixture.api.as(person) }
    }

    test('binds, returns exactly bind, and keeps the session', async () => {
      const fixture = await openBound()
      const cookie = fixture.browser.cookie()

      const { status, body } = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

      expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'bind' } })
      expect(await userOf(fixture, fixture.person.id)).toMatchObject({ github_id: 'ann', email: '' })
      expect(fixture.browser.cookie()).toBe(cookie)
      expect(await countUsers(fixture)).toBe(2)
    })

    test('binds also while registration is disabled', async () => {
      const fixture = await openBound()
      await setOptions(fixture, { RegisterEnabled: 'false' })

      const { body } = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

      expect(body).toEqual({ success: true, message: 'bind' })
    })

    test('rejects an account that is bound to another user, a deleted user or the same user', async () => {
      const fixture = await openBound()
      const other = await fixture.user()
      await signInWith(await fixture.api.as(other), 'github', fixture.github.allow(ANN))

      const others = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))
      await softDelete(fixture, other.id)
      const deleted = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))
      await signInWith(fixture.browser, 'github', fixture.github.allow({ login: 'bob' }))
      const repeated = await signInWith(fixture.browser, 'github', fixture.github.allow({ login: 'bob' }))

      const refusal = { success: false, message: '该 GitHub 账户已被绑定' }
      expect([others.body, deleted.body, repeated.body]).toEqual([refusal, refusal, refusal])
      expect((await userOf(fixture, fixture.person.id)).github_id).toBe('bob')
    })

    test('is rejected if GitHub is disabled, and for a banned user', async () => {
      const fixture = await openBound()
      await banWithSessions(fixture, fixture.person.id)

      const banned = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))
      await setOptions(fixture, { GitHubOAuthEnabled: 'false' })
      const off = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

      expect(banned.body).toEqual({ success: false, message: '用户已被封禁' })
      expect(off.body).toEqual({ success: false, message: '管理员未开启通过 GitHub 登录以及注册' })
      expect((await userOf(fixture, fixture.person.id)).github_id).toBe('')
    })
  })

  describe('if GitHub', () => {
    test.each(TROUBLE)('$what, the error says so, without secrets', async ({ answer, message }) => {
      const fixture = await openFixture()
      const code = fixture.github.allow(ANN)
      fixture.github.replaceRoute(USER_PATH, answer)
      const atUser = await signInWith(fixture.browser, 'github', code, ENGLISH)
      fixture.github.replaceRoute(TOKEN_PATH, answer)
      const atToken = await signInWith(fixture.browser, 'github', code, ENGLISH)

      for (const { status, body, text, headers } of [atUser, atToken]) {
        expect({ status, body }).toEqual({
          status: 200,
          body: { success: false, message: expect.stringMatching(message) },
        })
        expect(text).not.toMatch(/gho-secret|ticket|\\u0000|\u202e/)
        expect(headers.getSetCookie()).toEqual([])
      }
      expect(await countUsers(fixture)).toBe(1)
    })

    test.each([
      ['a token that is a number', TOKEN_PATH, { access_token: 7 }],
      ['a token that no header can hold', TOKEN_PATH, { access_token: 'a\r\nb' }],
      ['an empty login', USER_PATH, { login: '' }],
      ['a blank login', USER_PATH, { login: ' ' }],
      ['a login that is a number', USER_PATH, { login: 42 }],
      ['a login of 300 characters', USER_PATH, { login: 'a'.repeat(300) }],
      ['a login with a NUL', USER_PATH, { login: 'ann\u0000' }],
    ])('returns %s, the reply is rejected', async (_, path, body) => {
      const fixture = await openFixture()
      fixture.github.replaceRoute(path, (exchange) => sendJson(exchange, body))

      const answer = await signInWith(fixture.browser, 'github', fixture.github.allow(ANN))

      expect(answer.body).toEqual({ success: false, message: '返回值非法，用户字段为空，请稍后重试！' })
      expect(await countUsers(fixture)).toBe(1)
    })

    test('does not know the code, its own error is shown', async () => {
      const { browser } = await openFixture()

      const { body } = await signInWith(browser, 'github', 'made up')

      expect(body).toEqual({ success: false, message: 'GitHub 拒绝了登录：The code is incorrect.' })
    })

    test('is unreachable, the error says so', async () => {
      const fixture = await openGateway({ settings: services('http://127.0.0.1:9') })
      await setOptions(fixture, { GitHubClientId: 'a', GitHubClientSecret: 'b', GitHubOAuthEnabled: 'true' })

      const { body } = await signInWith(openApi(fixture).anonymous(), 'github', 'code')

      expect(body).toEqual({ success: false, message: '无法连接至 GitHub 服务器，请稍后重试！' })
    })

    test('does not respond for five seconds, it is unreachable', async () => {
      const fixture = await openFixture()
      fixture.github.replaceRoute(TOKEN_PATH, () => {})
      const began = Date.now()

      const { body } = await signInWith(fixture.browser, 'github', 'code')

      expect(body).toEqual({ success: false, message: '无法连接至 GitHub 服务器，请稍后重试！' })
      expect(Date.now() - began).toBeGreaterThan(4_000)
      expect(Date.now() - began).toBeLessThan(8_000)
    })

    test('fails, the log has the reason, without a secret', async () => {
      const github = await startGitHub()
      const fixture = await openTestGateway()
      const lines: string[] = []
      const stream = new Writable({
        write(chunk, _, done) {
          lines.push(String(chunk))
          done()
        },
      })
      const flags = { PORT: '0', HOST: '127.0.0.1', DATABASE_URL: fixture.config.databaseUrl, ...services(github.url) }
      const config = parseConfig(resolveSettings({ flags, environment: {}, file: {} }), 1)
      const logger = pino({ level: 'trace' }, stream)
      const gateway = await startGateway({ config, toolkit: fixture.toolkit, logger })
      onTestFinished(() => gateway.close())
      const { client_id, client_secret } = GITHUB_APP
      await setOptions(fixture, {
        GitHubClientId: client_id,
        GitHubClientSecret: client_secret,
        GitHubOAuthEnabled: 'true',
      })
      const browser = openApi({ url: gateway.url, toolkit: fixture.toolkit }).anonymous()

      await signInWith(browser, 'github', github.allow({ login: 42 }))
      github.replaceRoute(USER_PATH, ({ response }) => response.destroy())
      await signInWith(browser, 'github', github.allow(ANN))
      await signInWith(browser, 'github', github.allow(ANN))

      const log = lines.join('')
      expect(log).toContain('another service failed')
      expect(log).toContain('no login name')
      expect(log).toMatch(/PROVIDER_UNREACHABLE \(provider=GitHub, reason=\w+/)
      expect(log).not.toMatch(/gho-secret|ticket/)
    })
  })

  test('counts against the limit of sign-ins, together with the state', async () => {
    const fixture = await openGateway({
      settings: { CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '2', CRITICAL_RATE_LIMIT_DURATION: '60' },
    })
    const browser = openApi(fixture).anonymous()

    const statuses = []
    for (const path of ['/api/oauth/state', '/api/oauth/github', '/api/oauth/github']) {
      const { status, text } = await browser.get(path)
      statuses.push([status, text === ''])
    }

    expect(statuses).toEqual([
      [200, false],
      [403, false],
      [429, true],
    ])
  })
})
