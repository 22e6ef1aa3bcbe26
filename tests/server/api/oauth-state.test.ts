import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'
import { beginSignIn, ENGLISH } from '../../support/sign-in/visit.ts'

const openGateway = reused()

async function openFixture() {
  const fixture = await openGateway()
  return { ...fixture, api: openApi(fixture) }
}
const dataOf = (cookie: string) => cookie.replace('session=', '')

describe('GET /api/oauth/state', () => {
  test('returns twelve letters and digits, and gives the visitor a session with them', async () => {
    const { api, toolkit } = await openFixture()
    const browser = api.anonymous()

    const { status, body, headers } = await browser.get('/api/oauth/state')

    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: '', data: expect.stringMatching(/^[0-9A-Za-z]{12}$/) })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
    expect(await toolkit.sessions.data(dataOf(browser.cookie()))).toEqual({ oauth_state: body.data })
  })

  test('over TLS the cookie is secure', async () => {
    const fixture = await openGateway({ settings: { TRUST_PROXY: 'on' } })

    const { headers } = await openApi(fixture).anonymous().get('/api/oauth/state', { 'x-forwarded-proto': 'https' })

    expect(headers.getSetCookie().join()).toContain('; Secure')
  })

  test('a second one replaces the first, in the same session', async () => {
    const { api, toolkit } = await openFixture()
    const browser = api.anonymous()
    const first = await beginSignIn(browser)
    const cookie = browser.cookie()

    const second = await beginSignIn(browser)

    expect(second).not.toBe(first)
    expect(browser.cookie()).toBe(cookie)
    expect(await toolkit.sessions.data(dataOf(cookie))).toEqual({ oauth_state: second })
  })

  test('stores an invite code until it is replaced', async () => {
    const { api, toolkit } = await openFixture()
    const browser = api.anonymous()
    await beginSignIn(browser, '?aff=Ab1C')

    const oauth_state = await beginSignIn(browser, '?aff=')

    expect(await toolkit.sessions.data(dataOf(browser.cookie()))).toEqual({ oauth_state, aff: 'Ab1C' })
  })

  test('a signed-in user stays signed in, without the user header', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()
    const browser = await fixture.api.as(person)
    const cookie = browser.cookie()

    await browser.get('/api/oauth/state', { 'tollgate-user': '' })

    expect(browser.cookie()).toBe(cookie)
    expect((await browser.get('/api/user/self')).body.data.id).toBe(person.id)
  })

  test.each(['session=made-up', 'session=', 'session=%00', `session=${'x'.repeat(4000)}`, 'other=1'])(
    'a visitor with %j gets a new session',
    async (cookie) => {
      const { api } = await openFixture()
      const browser = api.anonymous()

      const { body } = await browser.get('/api/oauth/state', { cookie })

      expect(body.success).toBe(true)
      expect(browser.cookie()).toMatch(/^session=[0-9A-Za-z]{43}$/)
    },
  )

  test.each([
    ['x'.repeat(65), 'aff must have 0 to 64 characters'],
    ['%00', 'aff must not contain a NUL character'],
  ])('rejects the invite code %j', async (aff, message) => {
    const { api } = await openFixture()

    const { status, body } = await api.anonymous().get(`/api/oauth/state?aff=${aff}`, ENGLISH)

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message } })
  })

  test('uses the first of repeated invite codes', async () => {
    const { api, toolkit } = await openFixture()
    const browser = api.anonymous()

    await beginSignIn(browser, '?aff=one&aff=two')

    expect(await toolkit.sessions.data(dataOf(browser.cookie()))).toMatchObject({ aff: 'one' })
  })
})
