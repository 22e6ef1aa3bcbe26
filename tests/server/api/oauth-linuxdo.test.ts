import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { sendJson } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { reused } from '../../support/reused.ts'
import { LINUXDO_APP, startLinuxDo } from '../../support/sign-in/linuxdo.ts'
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

const TOKEN_PATH = 'POST /oauth2/token'
const USER_PATH = 'GET /api/user'
const ANN = { id: 4711, username: 'ann', name: 'Ann', trust_level: 0, active: false, silenced: true }

const provider = shared(startLinuxDo)
const openGateway = reused(() => ({ settings: { LINUXDO_URL: provider().url } }))

async function openFixture(settings = {}) {
  const linuxDo = provider()
  linuxDo.forget()
  const fixture = await openGateway({ settings })
  linuxDo.callback = `${fixture.url}/api/oauth/linuxdo`
  await setOptions(fixture, {
    LinuxDOClientId: LINUXDO_APP.id,
    LinuxDOClientSecret: LINUXDO_APP.secret,
    LinuxDOOAuthEnabled: 'true',
  })
  const api = openApi(fixture)
  return { ...fixture, linuxDo, api, browser: api.anonymous() }
}

describe('GET /api/oauth/linuxdo', () => {
  test('creates a user at the first sign-in, at any trust level, and identifies users by number', async () => {
    const fixture = await openFixture()
    const { aff_code } = await userOf(fixture, fixture.root.id)
    const state = await beginSignIn(fixture.browser, `?aff=${aff_code}`)

    const first = await comeBack(fixture.browser, 'linuxdo', { code: fixture.linuxDo.allow(ANN), state })
    const again = await signInWith(fixture.api.anonymous(), 'linuxdo', fixture.linuxDo.allow({ ...ANN, name: 'Other' }))

    expect(first).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(first.body.data).toMatchObject({ id: 2, username: 'linuxdo_2', display_name: 'Ann', linux_do_id: '' })
    expect(again.body).toEqual(first.body)
    expect(await userOf(fixture, 2)).toMatchObject({ linux_do_id: '4711', email: '', inviter_id: fixture.root.id })
    expect((await fixture.browser.get('/api/user/self', { 'New-Api-User': '2' })).body.data.id).toBe(2)
  })

  test('binds the account to the signed-in user', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()
    const browser = await fixture.api.as(person)

    const bound = await signInWith(browser, 'linuxdo', fixture.linuxDo.allow(ANN))
    const other = await signInWith(await fixture.api.as(fixture.root), 'linuxdo', fixture.linuxDo.allow(ANN))

    expect(bound.body).toEqual({ success: true, message: 'bind' })
    expect(other.body).toEqual({ success: false, message: '该 Linux DO 账户已被绑定' })
    expect((await userOf(fixture, person.id)).linux_do_id).toBe('4711')
  })

  test('the callback address is under ServerAddress if that is set', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { ServerAddress: 'https://gate.example/' })
    fixture.linuxDo.callback = 'https://gate.example/api/oauth/linuxdo'

    const { body } = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN))

    expect(body.success).toBe(true)
  })

  test("behind a trusted proxy it is the proxy's public address", async () => {
    const fixture = await openFixture({ TRUST_PROXY: 'on' })
    fixture.linuxDo.callback = 'https://gate.example:8443/api/oauth/linuxdo'
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gate.example:8443' }

    const { body } = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN), forwarded)

    expect(body.success).toBe(true)
  })

  test("a user who declined there gets LinuxDO's message, truncated and sanitized, and the state stays valid", async () => {
    const fixture = await openFixture()
    const state = await beginSignIn(fixture.browser)
    const description = `You said\n\u202eno ${'x'.repeat(1000)}`

    const { status, body } = await comeBack(
      fixture.browser,
      'linuxdo',
      { error: 'access_denied', error_description: description },
      ENGLISH,
    )
    const bare = await comeBack(fixture.browser, 'linuxdo', { error: 'access_denied' }, ENGLISH)
    const after = await comeBack(fixture.browser, 'linuxdo', { code: fixture.linuxDo.allow(ANN), state })

    const message = `Linux DO refused the sign-in: You said no ${'x'.repeat(188)}`
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message } })
    expect(bare.body.message).toBe('Linux DO refused the sign-in: access_denied')
    expect(after.body.success).toBe(true)
  })

  test('without the state it is 403; while disabled and without a code the error says so', async () => {
    const fixture = await openFixture()

    const stateless = await comeBack(fixture.browser, 'linuxdo', { code: fixture.linuxDo.allow(ANN), state: 'x' })
    const codeless = await signInWith(fixture.browser, 'linuxdo', '')
    await setOptions(fixture, { LinuxDOOAuthEnabled: 'false' })
    const off = await signInWith(fixture.browser, 'linuxdo', '')

    expect(stateless).toMatchObject({ status: 403, body: { message: 'state is empty or not same' } })
    expect(codeless.body).toEqual({ success: false, message: '无效的参数：code' })
    expect(off.body).toEqual({ success: false, message: '管理员未开启通过 Linux DO 登录以及注册' })
    expect(fixture.linuxDo.seen).toEqual([])
  })

  test('a banned or deleted user, or a new one while registration is disabled, gets no session', async () => {
    const fixture = await openFixture()
    await signInWith(fixture.api.anonymous(), 'linuxdo', fixture.linuxDo.allow(ANN))
    await fixture.toolkit.accounts.manage(fixture.root, 2, 'disable')
    const banned = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN))
    await softDelete(fixture, 2)
    const deleted = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN))
    await setOptions(fixture, { RegisterEnabled: 'false' })
    const fresh = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow({ id: 1 }))

    expect([banned, deleted, fresh].map(({ body }) => body.message)).toEqual([
      '用户已被封禁',
      '用户已注销',
      '管理员关闭了新用户注册',
    ])
    expect([banned, deleted, fresh].flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  })

  test('wrong credentials are an error of LinuxDO', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { LinuxDOClientSecret: 'wrong' })

    const { body } = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN))

    expect(body).toEqual({ success: false, message: 'Linux DO 拒绝了登录：invalid_client' })
  })

  test.each(TROUBLE)('if LinuxDO $what, the error says so, without secrets', async ({ answer, message }) => {
    const fixture = await openFixture()
    const code = fixture.linuxDo.allow(ANN)
    fixture.linuxDo.replaceRoute(USER_PATH, answer)
    const atUser = await signInWith(fixture.browser, 'linuxdo', code, ENGLISH)
    fixture.linuxDo.replaceRoute(TOKEN_PATH, answer)
    const atToken = await signInWith(fixture.browser, 'linuxdo', code, ENGLISH)

    const basic = Buffer.from(`${LINUXDO_APP.id}:${LINUXDO_APP.secret}`).toString('base64')
    for (const { status, body, text } of [atUser, atToken]) {
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: false, message: expect.stringMatching(message) },
      })
      expect(text).not.toMatch(/linuxdo-secret|ticket/)
      expect(text).not.toContain(basic)
    }
    expect(await countUsers(fixture)).toBe(1)
  })

  test.each([0, -1, 1.5, 1e300, '4711', null, true, { id: 1 }])('a user with the id %j is rejected', async (id) => {
    const fixture = await openFixture()
    fixture.linuxDo.replaceRoute(USER_PATH, (exchange) => sendJson(exchange, { id, name: 'Ann' }))

    const { body } = await signInWith(fixture.browser, 'linuxdo', fixture.linuxDo.allow(ANN))

    expect(body).toEqual({ success: false, message: '返回值非法，用户字段为空，请稍后重试！' })
    expect(await countUsers(fixture)).toBe(1)
  })
})
