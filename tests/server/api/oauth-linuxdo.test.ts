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

async function openWorld(settings = {}) {
  const linuxDo = provider()
  linuxDo.forget()
  const world = await openGateway({ settings })
  linuxDo.callback = `${world.url}/api/oauth/linuxdo`
  await setOptions(world, {
    LinuxDOClientId: LINUXDO_APP.id,
    LinuxDOClientSecret: LINUXDO_APP.secret,
    LinuxDOOAuthEnabled: 'true',
  })
  const api = openApi(world)
  return { ...world, linuxDo, api, browser: api.anonymous() }
}

describe('GET /api/oauth/linuxdo', () => {
  test('creates a user at the first sign-in, at any trust level, and identifies users by number', async () => {
    const world = await openWorld()
    const { aff_code } = await userOf(world, world.root.id)
    const state = await beginSignIn(world.browser, `?aff=${aff_code}`)

    const first = await comeBack(world.browser, 'linuxdo', { code: world.linuxDo.allow(ANN), state })
    const again = await signInWith(world.api.anonymous(), 'linuxdo', world.linuxDo.allow({ ...ANN, name: 'Other' }))

    expect(first).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(first.body.data).toMatchObject({ id: 2, username: 'linuxdo_2', display_name: 'Ann', linux_do_id: '' })
    expect(again.body).toEqual(first.body)
    expect(await userOf(world, 2)).toMatchObject({ linux_do_id: '4711', email: '', inviter_id: world.root.id })
    expect((await world.browser.get('/api/user/self', { 'New-Api-User': '2' })).body.data.id).toBe(2)
  })

  test('binds the account to the signed-in user', async () => {
    const world = await openWorld()
    const person = await world.user()
    const browser = await world.api.as(person)

    const bound = await signInWith(browser, 'linuxdo', world.linuxDo.allow(ANN))
    const other = await signInWith(await world.api.as(world.root), 'linuxdo', world.linuxDo.allow(ANN))

    expect(bound.body).toEqual({ success: true, message: 'bind' })
    expect(other.body).toEqual({ success: false, message: '该 Linux DO 账户已被绑定' })
    expect((await userOf(world, person.id)).linux_do_id).toBe('4711')
  })

  test('the callback address is under ServerAddress if that is set', async () => {
    const world = await openWorld()
    await setOptions(world, { ServerAddress: 'https://gate.example/' })
    world.linuxDo.callback = 'https://gate.example/api/oauth/linuxdo'

    const { body } = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN))

    expect(body.success).toBe(true)
  })

  test("behind a trusted proxy it is the proxy's public address", async () => {
    const world = await openWorld({ TRUST_PROXY: 'on' })
    world.linuxDo.callback = 'https://gate.example:8443/api/oauth/linuxdo'
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gate.example:8443' }

    const { body } = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN), forwarded)

    expect(body.success).toBe(true)
  })

  test("a user who declined there gets LinuxDO's message, truncated and sanitized, and the state stays valid", async () => {
    const world = await openWorld()
    const state = await beginSignIn(world.browser)
    const description = `You said\n\u202eno ${'x'.repeat(1000)}`

    const { status, body } = await comeBack(
      world.browser,
      'linuxdo',
      { error: 'access_denied', error_description: description },
      ENGLISH,
    )
    const bare = await comeBack(world.browser, 'linuxdo', { error: 'access_denied' }, ENGLISH)
    const after = await comeBack(world.browser, 'linuxdo', { code: world.linuxDo.allow(ANN), state })

    const message = `Linux DO refused the sign-in: You said no ${'x'.repeat(188)}`
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message } })
    expect(bare.body.message).toBe('Linux DO refused the sign-in: access_denied')
    expect(after.body.success).toBe(true)
  })

  test('without the state it is 403; while disabled and without a code the error says so', async () => {
    const world = await openWorld()

    const stateless = await comeBack(world.browser, 'linuxdo', { code: world.linuxDo.allow(ANN), state: 'x' })
    const codeless = await signInWith(world.browser, 'linuxdo', '')
    await setOptions(world, { LinuxDOOAuthEnabled: 'false' })
    const off = await signInWith(world.browser, 'linuxdo', '')

    expect(stateless).toMatchObject({ status: 403, body: { message: 'state is empty or not same' } })
    expect(codeless.body).toEqual({ success: false, message: '无效的参数：code' })
    expect(off.body).toEqual({ success: false, message: '管理员未开启通过 Linux DO 登录以及注册' })
    expect(world.linuxDo.seen).toEqual([])
  })

  test('a banned or deleted user, or a new one while registration is disabled, gets no session', async () => {
    const world = await openWorld()
    await signInWith(world.api.anonymous(), 'linuxdo', world.linuxDo.allow(ANN))
    await world.toolkit.accounts.manage(world.root, 2, 'disable')
    const banned = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN))
    await softDelete(world, 2)
    const deleted = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN))
    await setOptions(world, { RegisterEnabled: 'false' })
    const fresh = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow({ id: 1 }))

    expect([banned, deleted, fresh].map(({ body }) => body.message)).toEqual([
      '用户已被封禁',
      '用户已注销',
      '管理员关闭了新用户注册',
    ])
    expect([banned, deleted, fresh].flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  })

  test('wrong credentials are an error of LinuxDO', async () => {
    const world = await openWorld()
    await setOptions(world, { LinuxDOClientSecret: 'wrong' })

    const { body } = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN))

    expect(body).toEqual({ success: false, message: 'Linux DO 拒绝了登录：invalid_client' })
  })

  test.each(TROUBLE)('if LinuxDO $what, the error says so, without secrets', async ({ answer, message }) => {
    const world = await openWorld()
    const code = world.linuxDo.allow(ANN)
    world.linuxDo.instead(USER_PATH, answer)
    const atUser = await signInWith(world.browser, 'linuxdo', code, ENGLISH)
    world.linuxDo.instead(TOKEN_PATH, answer)
    const atToken = await signInWith(world.browser, 'linuxdo', code, ENGLISH)

    const basic = Buffer.from(`${LINUXDO_APP.id}:${LINUXDO_APP.secret}`).toString('base64')
    for (const { status, body, text } of [atUser, atToken]) {
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: false, message: expect.stringMatching(message) },
      })
      expect(text).not.toMatch(/linuxdo-secret|ticket/)
      expect(text).not.toContain(basic)
    }
    expect(await countUsers(world)).toBe(1)
  })

  test.each([0, -1, 1.5, 1e300, '4711', null, true, { id: 1 }])('a user with the id %j is rejected', async (id) => {
    const world = await openWorld()
    world.linuxDo.instead(USER_PATH, (exchange) => sendJson(exchange, { id, name: 'Ann' }))

    const { body } = await signInWith(world.browser, 'linuxdo', world.linuxDo.allow(ANN))

    expect(body).toEqual({ success: false, message: '返回值非法，用户字段为空，请稍后重试！' })
    expect(await countUsers(world)).toBe(1)
  })
})
