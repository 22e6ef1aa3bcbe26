import { describe, expect, test } from 'vitest'
import { telegramId } from '../../../server/api/oauth/telegram-signature.ts'
import type { ApiClient } from '../../support/api.ts'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'
import { signed, TELEGRAM_BOT } from '../../support/sign-in/telegram.ts'
import { comeBack, setOptions, softDelete, userOf } from '../../support/sign-in/visit.ts'
import { banWithSessions } from '../../support/toolkit.ts'

const openGateway = reused()

const seconds = () => Math.floor(Date.now() / 1000)

const ann = (more: Record<string, string> = {}) =>
  signed({ id: '42', first_name: 'Ann', username: 'ann', auth_date: String(seconds() - 5), ...more })

async function openFixture() {
  const fixture = await openGateway()
  await setOptions(fixture, { TelegramBotToken: TELEGRAM_BOT, TelegramOAuthEnabled: 'true' })
  const api = openApi(fixture)
  const person = await fixture.user()
  return { ...fixture, api, person, browser: api.anonymous() }
}

async function openBound() {
  const fixture = await openFixture()
  await fixture.toolkit.identities.bind(fixture.person, { provider: 'telegram', id: '42' })
  return fixture
}

const INVALID = { success: false, message: '无效的请求' }
const OFF = { success: false, message: '管理员未开启通过 Telegram 登录以及注册' }

/** Invalid parameters, by what is wrong; both routes reject them. */
const FORGED: Record<string, () => string | Record<string, string>> = {
  'no parameters': () => ({}),
  'no hash': () => ({ ...ann(), hash: '' }),
  'a hash that is made up': () => ({ ...ann(), hash: '0'.repeat(64) }),
  'a hash in capitals': () => ({ ...ann(), hash: ann().hash?.toUpperCase() ?? '' }),
  'a hash that is too long': () => ({ ...ann(), hash: `${ann().hash}0` }),
  'another id': () => ({ ...ann(), id: '43' }),
  'a parameter more': () => ({ ...ann(), last_name: 'Example' }),
  'a parameter less': () => {
    const { username, ...rest } = ann()
    return rest
  },
  "another bot's signature": () => signed({ id: '42', auth_date: String(seconds()) }, '1:OTHER'),
  'an id repeated before the signed one': () => `id=43&${new URLSearchParams(ann())}`,
  'a hash repeated before the right one': () => `hash=${'0'.repeat(64)}&${new URLSearchParams(ann())}`,
  'a sign-in of yesterday': () => ann({ auth_date: String(seconds() - 86_410) }),
  'a sign-in of tomorrow': () => ann({ auth_date: String(seconds() + 3_600) }),
  'a date that is none': () => ann({ auth_date: 'today' }),
  'no date': () => signed({ id: '42' }),
  'an empty date': () => signed({ id: '42', auth_date: '' }),
  'no id': () => signed({ auth_date: String(seconds()) }),
  'an id that is no number': () => ann({ id: '42x' }),
  'two parameters in one': () => {
    // A first name of two lines, signed as it is, and read as if its second line were a parameter.
    const { hash = '', auth_date = '' } = ann({ id: '7', first_name: 'Ann\nid=42' })
    return { auth_date, first_name: 'Ann', id: '42', 'id=7\nusername': 'ann', hash }
  },
}
const query = (parameters: string | Record<string, string>) =>
  typeof parameters === 'string' ? parameters : `${new URLSearchParams(parameters)}`
const visit = (browser: ApiClient, action: 'login' | 'bind', parameters: string | Record<string, string>) =>
  browser.get(`/api/oauth/telegram/${action}?${query(parameters)}`)

test('the signature is that of the documented example', () => {
  const example = {
    id: '42',
    first_name: 'Ann',
    username: 'ann',
    auth_date: '1739577600',
    hash: 'de560377375c89b40ba9af9b2ff543940e66e06d0a6a8dd58074cdbb7046a0dd',
  }

  expect(telegramId(example, { botToken: TELEGRAM_BOT, now: 1_739_577_600 + 86_400 })).toBe('42')
  for (const now of [1_739_577_600 + 86_401, 1_739_577_600 - 61]) {
    expect(() => telegramId(example, { botToken: TELEGRAM_BOT, now })).toThrow('TELEGRAM_SIGNATURE')
  }
})

describe('GET /api/oauth/telegram/login', () => {
  test('signs in the user to whom the Telegram account is bound, with a new session', async () => {
    const fixture = await openBound()
    await fixture.browser.get('/api/oauth/state')
    const before = fixture.browser.cookie()

    const { status, body } = await visit(fixture.browser, 'login', ann())

    const { id, username } = fixture.person
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: '', data: { id, username, role: 1, telegram_id: '' } })
    expect(fixture.browser.cookie()).not.toBe(before)
    expect((await fixture.browser.get('/api/user/self', { 'New-Api-User': String(id) })).body.data.id).toBe(id)
  })

  test.each([
    ['all fields', { last_name: 'Exämple 名', photo_url: 'https://t.me/i/p.jpg?a=b&c=d+e', lang: 'de' }],
    ['an unknown field', { allows_write: 'true', Zeta: '', 'a b': '%41' }],
  ])('signed parameters may be %s', async (_, more) => {
    const fixture = await openBound()

    const { body } = await visit(fixture.browser, 'login', ann(more))

    expect(body.success).toBe(true)
  })

  test('uses the first of repeated parameters', async () => {
    const fixture = await openBound()

    const { body } = await visit(fixture.browser, 'login', `${query(ann())}&id=43&hash=x&first_name=Eve`)

    expect(body.data.id).toBe(fixture.person.id)
  })

  test.each(Object.entries(FORGED))('%s is an invalid request', async (_, parameters) => {
    const fixture = await openBound()

    const { status, body } = await visit(fixture.browser, 'login', parameters())

    expect({ status, body }).toEqual({ status: 200, body: INVALID })
    expect(fixture.browser.cookie()).toBe('')
  })

  test('never creates a user, and replies the same for a deleted and an unknown one', async () => {
    const fixture = await openBound()
    await softDelete(fixture, fixture.person.id)

    const unknown = await visit(fixture.browser, 'login', ann({ id: '43' }))
    const deleted = await visit(fixture.browser, 'login', ann())

    const refusal = { success: false, message: '该 Telegram 账户未绑定' }
    expect([unknown.body, deleted.body]).toEqual([refusal, refusal])
    expect(fixture.browser.cookie()).toBe('')
  })

  test('a banned user gets no session', async () => {
    const fixture = await openBound()
    await fixture.toolkit.accounts.manage(fixture.root, fixture.person.id, 'disable')

    const { body } = await visit(fixture.browser, 'login', ann())

    expect(body).toEqual({ success: false, message: '用户已被封禁' })
    expect(fixture.browser.cookie()).toBe('')
  })

  test('the disabled state is reported before the signature check; without a bot token no signature is valid', async () => {
    const fixture = await openBound()
    await setOptions(fixture, { TelegramBotToken: '' })
    const tokenless = await visit(fixture.browser, 'login', signed({ id: '42', auth_date: String(seconds()) }, ''))
    await setOptions(fixture, { TelegramBotToken: TELEGRAM_BOT, TelegramOAuthEnabled: 'false' })
    const off = await visit(fixture.browser, 'login', {})

    expect([tokenless.body, off.body]).toEqual([OFF, OFF])
  })

  test('a field that is too long, or has a NUL, is named', async () => {
    const { browser } = await openFixture()

    const long = await comeBack(browser, 'telegram/login', { first_name: 'x'.repeat(4097) })
    const nul = await comeBack(browser, 'telegram/login', { anything: 'a\u0000' })

    expect(long.body.message).toMatch(/first_name/)
    expect(nul.body).toEqual({ success: false, message: 'anything 不能包含空字符 (NUL)' })
  })
})

describe('GET /api/oauth/telegram/bind', () => {
  test('binds the account to the signed-in user, and redirects to the settings', async () => {
    const fixture = await openFixture()
    const browser = await fixture.api.as(fixture.person)

    const { status, headers, text } = await visit(browser, 'bind', ann())

    expect({ status, location: headers.get('location'), text }).toEqual({ status: 302, location: '/setting', text: '' })
    expect((await userOf(fixture, fixture.person.id)).telegram_id).toBe('42')
  })

  test('rejects an account that is already bound, also to a deleted user', async () => {
    const fixture = await openBound()
    const other = await fixture.user()
    const bind = async () => visit(await fixture.api.as(other), 'bind', ann())

    const alive = await bind()
    await softDelete(fixture, fixture.person.id)
    const deleted = await bind()

    const refusal = { success: false, message: '该 Telegram 账户已被绑定' }
    expect([alive.body, deleted.body]).toEqual([refusal, refusal])
    expect((await userOf(fixture, other.id)).telegram_id).toBe('')
  })

  test.each(Object.entries(FORGED))('%s is an invalid request', async (_, parameters) => {
    const fixture = await openFixture()

    const { status, body } = await visit(await fixture.api.as(fixture.person), 'bind', parameters())

    expect({ status, body }).toEqual({ status: 200, body: INVALID })
    expect((await userOf(fixture, fixture.person.id)).telegram_id).toBe('')
  })

  test('no session, or a session of a deleted user, is 401', async () => {
    const fixture = await openFixture()
    const browser = await fixture.api.as(fixture.person)
    await softDelete(fixture, fixture.person.id)

    const answers = [await visit(fixture.browser, 'bind', ann()), await visit(browser, 'bind', ann())]

    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect((await fixture.toolkit.db.reader('users').where({ telegram_id: '42' })).length).toBe(0)
  })

  test('a banned user is rejected, and so is every user while it is disabled', async () => {
    const fixture = await openFixture()
    const browser = await fixture.api.as(fixture.person)
    await setOptions(fixture, { TelegramOAuthEnabled: 'false' })
    const off = await visit(browser, 'bind', ann())
    await banWithSessions(fixture, fixture.person.id)
    const banned = await visit(browser, 'bind', ann())

    expect(off.body).toEqual(OFF)
    expect(banned.body).toEqual({ success: false, message: '用户已被封禁' })
  })
})
