import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { onlyRequest, sendJson } from '../../support/hand-made-upstream.ts'
import { importOptions } from '../../support/imported.ts'
import { reused } from '../../support/reused.ts'
import { TROUBLE } from '../../support/sign-in/trouble.ts'
import { comeBack, countUsers, ENGLISH, setOptions, softDelete, userOf } from '../../support/sign-in/visit.ts'
import { startWeChat, WECHAT_TOKEN } from '../../support/sign-in/wechat.ts'
import { banWithSessions } from '../../support/toolkit.ts'

const openGateway = reused()

const PATH = 'GET /api/wechat/user'

async function openFixture() {
  const weChat = await startWeChat()
  const fixture = await openGateway()
  await setOptions(fixture, {
    WeChatServerAddress: `${weChat.url}/`,
    WeChatServerToken: WECHAT_TOKEN,
    WeChatAuthEnabled: 'true',
  })
  const api = openApi(fixture)
  return { ...fixture, weChat, api, browser: api.anonymous() }
}

describe('GET /api/oauth/wechat', () => {
  test('creates a user at the first sign-in, without a state and an inviter, and recognizes users later', async () => {
    const fixture = await openFixture()
    const { aff_code } = await userOf(fixture, fixture.root.id)
    await fixture.browser.get(`/api/oauth/state?aff=${aff_code}`)

    const first = await comeBack(fixture.browser, 'wechat', { code: fixture.weChat.sendCode('oAnn') })
    const again = await comeBack(fixture.api.anonymous(), 'wechat', { code: fixture.weChat.sendCode('oAnn') })

    expect(first).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(first.body.data).toMatchObject({ id: 2, username: 'wechat_2', display_name: 'WeChat User', wechat_id: '' })
    expect(again.body).toEqual(first.body)
    expect(await userOf(fixture, 2)).toMatchObject({ wechat_id: 'oAnn', inviter_id: 0 })
    expect((await fixture.browser.get('/api/user/self', { 'New-Api-User': '2' })).body.data.id).toBe(2)
  })

  test('sends one request with a code, which cannot change the address', async () => {
    const { browser, weChat } = await openFixture()

    const { body } = await comeBack(browser, 'wechat', { code: 'a&code=b#/../x y' })

    expect(body).toEqual({ success: false, message: '验证码错误或已过期' })
    expect(onlyRequest(weChat).path).toBe('/api/wechat/user?code=a%26code%3Db%23%2F..%2Fx%20y')
  })

  test('an empty code, a too long code, and disabled WeChat are rejected', async () => {
    const fixture = await openFixture()

    const empty = await comeBack(fixture.browser, 'wechat', {})
    const long = await comeBack(fixture.browser, 'wechat', { code: 'x'.repeat(257) }, ENGLISH)
    await setOptions(fixture, { WeChatAuthEnabled: 'false' })
    const off = await comeBack(fixture.browser, 'wechat', { code: '1' })

    expect(empty.body).toEqual({ success: false, message: '无效的参数：code' })
    expect(long.body).toEqual({ success: false, message: 'code must have 0 to 256 characters' })
    expect(off.body).toEqual({ success: false, message: '管理员未开启通过微信登录以及注册' })
    expect(fixture.weChat.seen).toEqual([])
  })

  test('a banned or deleted user, or a new one while registration is disabled, gets no session', async () => {
    const fixture = await openFixture()
    const visit = (id: string) => comeBack(fixture.browser, 'wechat', { code: fixture.weChat.sendCode(id) })
    await comeBack(fixture.api.anonymous(), 'wechat', { code: fixture.weChat.sendCode('oAnn') })
    await fixture.toolkit.accounts.manage(fixture.root, 2, 'disable')
    const banned = await visit('oAnn')
    await softDelete(fixture, 2)
    const deleted = await visit('oAnn')
    await setOptions(fixture, { RegisterEnabled: 'false' })
    const fresh = await visit('oBob')

    expect([banned, deleted, fresh].map(({ body }) => body.message)).toEqual([
      '用户已被封禁',
      '用户已注销',
      '管理员关闭了新用户注册',
    ])
    expect(fixture.browser.cookie()).toBe('')
  })

  test.each([
    { answer: { success: false, message: 'no\u0000such code' }, message: 'WeChat refused the sign-in: no such code' },
    { answer: { success: false, message: '' }, message: 'The verification code is incorrect or has expired' },
    { answer: { success: false, message: 7 }, message: 'The verification code is incorrect or has expired' },
    { answer: { success: true, data: '' }, message: 'The verification code is incorrect or has expired' },
    { answer: { success: true, data: null }, message: 'The verification code is incorrect or has expired' },
    { answer: { success: true, data: 7 }, message: 'WeChat returned a reply without a user. Try again later' },
    { answer: { success: true, data: ' ' }, message: 'WeChat returned a reply without a user. Try again later' },
    {
      answer: { success: true, data: 'x'.repeat(300) },
      message: 'WeChat returned a reply without a user. Try again later',
    },
    { answer: { success: 'true', data: 'o' }, message: 'WeChat returned a reply without a user. Try again later' },
  ])('the reply $answer is rejected', async ({ answer, message }) => {
    const fixture = await openFixture()
    fixture.weChat.replaceRoute(PATH, (exchange) => sendJson(exchange, answer))

    const { status, body } = await comeBack(fixture.browser, 'wechat', { code: '1' }, ENGLISH)

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message } })
    expect(await countUsers(fixture)).toBe(1)
  })

  test.each(TROUBLE)('if the helper $what, the error says so, without secrets', async ({ answer, message }) => {
    const fixture = await openFixture()
    fixture.weChat.replaceRoute(PATH, answer)

    const { status, body, text } = await comeBack(fixture.browser, 'wechat', { code: 'ticket-1' }, ENGLISH)

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: expect.stringMatching(message) } })
    expect(text).not.toMatch(/wechat-token|ticket/)
  })

  test.each([
    { what: 'an address without a server', options: { WeChatServerAddress: 'http://127.0.0.1:9' } },
    { what: 'a token that no header can hold', options: { WeChatServerToken: 'line\nbreak' } },
  ])('$what is reported as unreachable', async ({ options }) => {
    const fixture = await openFixture()
    await setOptions(fixture, options)

    const { body } = await comeBack(fixture.browser, 'wechat', { code: '1' })

    expect(body).toEqual({ success: false, message: '无法连接至 WeChat 服务器，请稍后重试！' })
  })

  test('an invalid imported address is reported as unreachable', async () => {
    const fixture = await openFixture()
    await importOptions(fixture, { WeChatServerAddress: 'somewhere' })

    const { body } = await comeBack(fixture.browser, 'wechat', { code: '1' })

    expect(body).toEqual({ success: false, message: '无法连接至 WeChat 服务器，请稍后重试！' })
  })

  test('a helper without a configured token gets none', async () => {
    const fixture = await openFixture()
    await setOptions(fixture, { WeChatServerToken: '' })
    fixture.weChat.replaceRoute(PATH, (exchange) =>
      sendJson(exchange, { success: true, data: exchange.headers.authorization ? 'oWrong' : 'oAnn' }),
    )

    await comeBack(fixture.browser, 'wechat', { code: '1' })

    expect((await userOf(fixture, 2)).wechat_id).toBe('oAnn')
  })
})

describe('GET /api/oauth/wechat/bind', () => {
  test('binds the account to the signed-in user, and returns no message', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()
    const browser = await fixture.api.as(person)

    const { status, body } = await comeBack(browser, 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })

    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: '' } })
    expect((await userOf(fixture, person.id)).wechat_id).toBe('oAnn')
  })

  test('rejects an account that is already bound', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()
    await comeBack(fixture.browser, 'wechat', { code: fixture.weChat.sendCode('oAnn') })
    const bind = async () =>
      comeBack(await fixture.api.as(person), 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })

    const alive = await bind()
    await softDelete(fixture, 3)
    const deleted = await bind()

    const refusal = { success: false, message: '该微信账号已被绑定' }
    expect([alive.body, deleted.body]).toEqual([refusal, refusal])
    expect((await userOf(fixture, person.id)).wechat_id).toBe('')
  })

  test('no session is 401, a banned user is rejected, before the helper request', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()
    const browser = await fixture.api.as(person)
    await banWithSessions(fixture, person.id)

    const anonymous = await comeBack(fixture.browser, 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })
    const banned = await comeBack(browser, 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })

    expect(anonymous).toMatchObject({ status: 401, body: { message: '无权进行此操作，未登录且未提供 access token' } })
    expect(banned).toMatchObject({ status: 200, body: { success: false, message: '用户已被封禁' } })
    expect(fixture.weChat.seen).toEqual([])
  })

  test('an access token is not accepted', async () => {
    const fixture = await openFixture()
    const script = await fixture.api.byAccessToken(await fixture.user())

    const { status } = await comeBack(script, 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })

    expect(status).toBe(401)
  })

  test('an empty code, a wrong code, and disabled WeChat are rejected', async () => {
    const fixture = await openFixture()
    const browser = await fixture.api.as(await fixture.user())

    const empty = await comeBack(browser, 'wechat/bind', {})
    const wrong = await comeBack(browser, 'wechat/bind', { code: '1' })
    await setOptions(fixture, { WeChatAuthEnabled: 'false' })
    const off = await comeBack(browser, 'wechat/bind', { code: fixture.weChat.sendCode('oAnn') })

    expect([empty, wrong, off].map(({ body }) => body.message)).toEqual([
      '无效的参数：code',
      '验证码错误或已过期',
      '管理员未开启通过微信登录以及注册',
    ])
  })
})
