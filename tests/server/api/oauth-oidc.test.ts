import { describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api.ts'
import { openApi } from '../../support/api.ts'
import type { Settings } from '../../support/gateway.ts'
import { sendJson } from '../../support/hand-made-upstream.ts'
import { importOptions } from '../../support/imported.ts'
import { reused } from '../../support/reused.ts'
import { type Deviation, OIDC_CLIENT, type OidcProvider, startOidc } from '../../support/sign-in/oidc.ts'
import { TROUBLE } from '../../support/sign-in/trouble.ts'
import {
  beginSignIn,
  comeBack,
  countUsers,
  ENGLISH,
  setOptions,
  softDelete,
  userOf,
} from '../../support/sign-in/visit.ts'

const openGateway = reused()

const ANN = { sub: 'sub-4711', name: 'Ann', email: 'ann@example.org', email_verified: true }
const DISCOVERY_PATH = 'GET /.well-known/openid-configuration'
const UNUSABLE = { success: false, message: '返回值非法，用户字段为空，请稍后重试！' }

async function openFixture(settings: Settings = {}) {
  const oidc = await startOidc()
  const fixture = await openGateway({ settings })
  await setOptions(fixture, {
    OIDCIssuer: oidc.url,
    OIDCClientId: OIDC_CLIENT.id,
    OIDCClientSecret: OIDC_CLIENT.secret,
    OIDCEnabled: 'true',
  })
  const api = openApi(fixture)
  return { ...fixture, oidc, api, browser: api.anonymous() }
}

async function start(browser: ApiClient, query = '', headers = {}): Promise<string> {
  return (await browser.get(`/api/oauth/oidc/start${query}`, headers)).body.data
}

/** Goes to the provider, agrees there, and comes back. */
async function signIn(browser: ApiClient, oidc: OidcProvider, claims = ANN as Record<string, unknown>, headers = {}) {
  return comeBack(browser, 'oidc', oidc.allow(await start(browser, '', headers), claims), headers)
}

const requestedPaths = ({ seen }: OidcProvider) => seen.map(({ path }) => path)

describe('GET /api/oauth/oidc/start', () => {
  test('returns the address of the sign-in page, with state, nonce and challenge of this browser only', async () => {
    const { browser, oidc, url, toolkit } = await openFixture()

    const { status, body, headers } = await browser.get('/api/oauth/oidc/start?aff=Ab1C')

    expect({ status, success: body.success, message: body.message }).toEqual({
      status: 200,
      success: true,
      message: '',
    })
    const address = new URL(body.data)
    expect(address.origin + address.pathname).toBe(`${oidc.url}/authorize`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: 'a',
      response_type: 'code',
      client_id: OIDC_CLIENT.id,
      redirect_uri: `${url}/oauth/oidc`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      nonce: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      code_challenge: expect.stringMatching(/^[0-9A-Za-z_-]{43}$/),
      code_challenge_method: 'S256',
    })
    const remembered = await toolkit.sessions.data(browser.cookie().replace('session=', ''))
    const { state: oauth_state, nonce } = Object.fromEntries(address.searchParams)
    expect(remembered).toEqual({ aff: 'Ab1C', oauth_state, oidc: { nonce, verifier: expect.any(String) } })
    expect(body.data).not.toContain(remembered?.oidc?.verifier)
    expect(headers.getSetCookie().join()).toMatch(/HttpOnly.*SameSite=Strict/)
  })

  test('requests other scopes, and redirects to ServerAddress, if configured', async () => {
    const { browser, ...fixture } = await openFixture()
    await setOptions(fixture, { OIDCScopes: 'openid groups', ServerAddress: 'https://gate.example/' })

    const { searchParams } = new URL(await start(browser))

    expect(searchParams.get('scope')).toBe('openid groups')
    expect(searchParams.get('redirect_uri')).toBe('https://gate.example/oauth/oidc')
  })

  test('fetches the discovery document once, and again when the issuer changes', async () => {
    const { browser, oidc, ...fixture } = await openFixture()
    const other = await startOidc()

    for (let visit = 0; visit < 3; visit++) await start(browser)
    await setOptions(fixture, { OIDCIssuer: other.url })
    const address = await start(browser)

    expect(requestedPaths(oidc)).toEqual(['/.well-known/openid-configuration'])
    expect(address).toContain(other.url)
  })

  test('reports that it is disabled', async () => {
    const { browser, oidc, ...fixture } = await openFixture()
    await setOptions(fixture, { OIDCEnabled: 'false' })

    const { status, body } = await browser.get('/api/oauth/oidc/start')

    const message = '管理员未开启通过 OpenID Connect 登录以及注册'
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message } })
    expect(requestedPaths(oidc)).toEqual([])
  })

  test('a too long invite code is rejected', async () => {
    const { browser } = await openFixture()

    const { body } = await browser.get(`/api/oauth/oidc/start?aff=${'x'.repeat(65)}`, ENGLISH)

    expect(body).toEqual({ success: false, message: 'aff must have 0 to 64 characters' })
  })

  test.each(TROUBLE)('if the provider $what, the error says so, and the next visitor can retry', async (trouble) => {
    const { browser, oidc, ...fixture } = await openFixture()
    oidc.replaceRoute(DISCOVERY_PATH, trouble.answer)

    const { status, body } = await browser.get('/api/oauth/oidc/start', ENGLISH)
    oidc.replaceRoute(DISCOVERY_PATH, (exchange) => sendJson(exchange, oidc.discovery))
    const after = await fixture.api.anonymous().get('/api/oauth/oidc/start')

    expect({ status, body }).toEqual({
      status: 200,
      body: { success: false, message: expect.stringMatching(trouble.message) },
    })
    expect(after.body.success).toBe(true)
  })

  test.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['of a numbered issuer', { issuer: 7 }],
    ['without a sign-in page', { authorization_endpoint: undefined }],
    ['with an address that is none', { token_endpoint: '/token' }],
    ['with a file for an address', { jwks_uri: 'file:///etc/passwd' }],
    ['with a script for an address', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('a discovery document %s is rejected', async (_, changes) => {
    const { browser, oidc } = await openFixture()
    Object.assign(oidc.discovery, changes)

    const { status, body } = await browser.get('/api/oauth/oidc/start')

    expect({ status, body }).toEqual({ status: 200, body: UNUSABLE })
  })

  test.each(['somewhere', 'http://127.0.0.1:9', 'ftp://127.0.0.1'])(
    'an imported issuer at %s is unreachable',
    async (issuer) => {
      const { browser, ...fixture } = await openFixture()
      await importOptions(fixture, { OIDCIssuer: issuer })

      const { body } = await browser.get('/api/oauth/oidc/start')

      expect(body).toEqual({ success: false, message: '无法连接至 OpenID Connect 服务器，请稍后重试！' })
    },
  )
})

describe('GET /api/oauth/oidc', () => {
  test('creates a user at the first sign-in, with the inviter of the start, and identifies users by subject', async () => {
    const fixture = await openFixture()
    const { aff_code } = await userOf(fixture, fixture.root.id)
    const address = await start(fixture.browser, `?aff=${aff_code}`)

    const first = await comeBack(fixture.browser, 'oidc', fixture.oidc.allow(address, ANN))
    const again = await signIn(fixture.api.anonymous(), fixture.oidc, { sub: ANN.sub, name: 'Another' })

    expect(first).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(first.body.data).toMatchObject({ id: 2, username: 'oidc_2', display_name: 'Ann', oidc_id: '', email: '' })
    expect(again.body).toEqual(first.body)
    expect(await userOf(fixture, 2)).toMatchObject({
      oidc_id: 'sub-4711',
      email: 'ann@example.org',
      inviter_id: fixture.root.id,
    })
    expect((await fixture.browser.get('/api/user/self', { 'New-Api-User': '2' })).body.data.id).toBe(2)
  })

  test.each([
    { what: 'a name to be shown by', claims: { preferred_username: 'ann' }, user: { display_name: 'ann', email: '' } },
    { what: 'no name', claims: { name: '' }, user: { display_name: 'OpenID User' } },
    { what: 'a number for a name', claims: { name: 7 }, user: { display_name: 'OpenID User' } },
    { what: 'an unchecked address', claims: { email: 'a@b.example' }, user: { email: '' } },
    { what: 'a denied address', claims: { email: 'a@b.example', email_verified: false }, user: { email: '' } },
    { what: 'the word true', claims: { email: 'a@b.example', email_verified: 'true' }, user: { email: '' } },
    {
      what: 'a checked address',
      claims: { email: 'a@b.example', email_verified: true },
      user: { email: 'a@b.example' },
    },
  ])('accepts a user with $what', async ({ claims, user }) => {
    const fixture = await openFixture()

    const { body } = await signIn(fixture.browser, fixture.oidc, { sub: 's', ...claims })

    expect(await userOf(fixture, body.data.id)).toMatchObject(user)
  })

  test('binds the account to the signed-in user, and rejects a bound one', async () => {
    const fixture = await openFixture()
    const person = await fixture.user()

    const bound = await signIn(await fixture.api.as(person), fixture.oidc)
    const taken = await signIn(await fixture.api.as(fixture.root), fixture.oidc)

    expect(bound.body).toEqual({ success: true, message: 'bind' })
    expect(taken.body).toEqual({ success: false, message: '该 OpenID Connect 账户已被绑定' })
    expect((await userOf(fixture, person.id)).oidc_id).toBe('sub-4711')
  })

  test('a provider that ignores the header gets the secret in the form', async () => {
    const fixture = await openFixture()
    fixture.oidc.discovery.token_endpoint_auth_methods_supported = ['client_secret_post']

    const { body } = await signIn(fixture.browser, fixture.oidc)

    expect(body.success).toBe(true)
  })

  test.each([[['client_secret_post', 'client_secret_basic']], ['nonsense'], [7]])(
    'with %j supported it is sent in the header',
    async (methods) => {
      const fixture = await openFixture()
      fixture.oidc.discovery.token_endpoint_auth_methods_supported = methods

      const { body } = await signIn(fixture.browser, fixture.oidc)

      expect(body.success).toBe(true)
    },
  )

  test('an issuer with a trailing slash is the same issuer', async () => {
    const fixture = await openFixture()
    fixture.oidc.discovery.issuer = `${fixture.oidc.url}/`
    fixture.oidc.deviate({ claims: { iss: `${fixture.oidc.url}/` } })

    const { body } = await signIn(fixture.browser, fixture.oidc)

    expect(body.success).toBe(true)
  })

  test('a provider may change its keys between two sign-ins', async () => {
    const fixture = await openFixture()
    await signIn(fixture.api.anonymous(), fixture.oidc)
    await fixture.oidc.rotateKeys()

    const { body } = await signIn(fixture.browser, fixture.oidc)

    expect(body.success).toBe(true)
  })

  const seconds = Math.floor(Date.now() / 1000)
  const lies: Record<string, Deviation> = {
    'with another nonce': { claims: { nonce: 'x'.repeat(32) } },
    'with a number for a nonce': { claims: { nonce: 7 } },
    'without a nonce': { without: 'nonce' },
    'for another client': { claims: { aud: 'another' } },
    'for two clients, made for the other one': { claims: { aud: [OIDC_CLIENT.id, 'another'], azp: 'another' } },
    'without an audience': { without: 'aud' },
    'of another issuer': { claims: { iss: 'https://evil.example' } },
    'of no issuer': { without: 'iss' },
    'that has expired': { claims: { iat: seconds - 7200, exp: seconds - 3600 } },
    'that never expires': { without: 'exp' },
    'that is not valid yet': { claims: { nbf: seconds + 3600 } },
    'without a signature': { signedBy: 'no key' },
    'signed with another key': { signedBy: 'another key' },
    'signed with the client secret': { signedBy: 'the client secret' },
    'without a subject': { without: 'sub' },
    'with an empty subject': { claims: { sub: '' } },
    'with a number for a subject': { claims: { sub: 7 as never } },
    'with a subject of 300 characters': { claims: { sub: 's'.repeat(300) } },
  }
  test.each(Object.entries(lies))('an ID token %s is rejected', async (_, deviation) => {
    const fixture = await openFixture()
    fixture.oidc.deviate(deviation)

    const { status, body, headers } = await signIn(fixture.browser, fixture.oidc)

    expect({ status, body }).toEqual({ status: 200, body: UNUSABLE })
    expect(headers.getSetCookie()).toEqual([])
    expect(await countUsers(fixture)).toBe(1)
  })

  test.each([{ id_token: '' }, { id_token: 7 }, { id_token: 'a.b.c' }, { id_token: 'x' }, { access_token: 'only' }])(
    'the token reply %j is rejected',
    async (answer) => {
      const fixture = await openFixture()
      fixture.oidc.replaceRoute('POST /token', (exchange) => sendJson(exchange, answer))

      const { body } = await signIn(fixture.browser, fixture.oidc)

      expect(body).toEqual(UNUSABLE)
    },
  )

  test.each([
    { keys: [] },
    { keys: 'none' },
    { keys: [{}] },
    { keys: [{ kty: 'RSA', kid: 'key-1', n: '!', e: 7 }] },
    {},
  ])('with the keys %j the sign-in fails', async (keys) => {
    const fixture = await openFixture()
    fixture.oidc.replaceRoute('GET /keys', (exchange) => sendJson(exchange, keys))

    const { status, body } = await signIn(fixture.browser, fixture.oidc)

    expect({ status, body }).toEqual({ status: 200, body: UNUSABLE })
  })

  test('a code of another browser is invalid, because its verifier is missing', async () => {
    const fixture = await openFixture()
    const { code } = fixture.oidc.allow(await start(fixture.api.anonymous()), ANN)
    const { state } = fixture.oidc.allow(await start(fixture.browser), ANN)

    const { body } = await comeBack(fixture.browser, 'oidc', { code, state })

    expect(body).toEqual({ success: false, message: 'OpenID Connect 拒绝了登录：Not this code' })
    expect(await countUsers(fixture)).toBe(1)
  })

  test('a state is valid for one try in its own browser, and never for another provider', async () => {
    const fixture = await openFixture()
    const back = fixture.oidc.allow(await start(fixture.browser), ANN)

    const elsewhere = await comeBack(fixture.api.anonymous(), 'oidc', back)
    const wrong = await comeBack(fixture.api.anonymous(), 'oidc', { ...back, state: '' })
    const first = await comeBack(fixture.browser, 'oidc', back)
    const second = await comeBack(fixture.browser, 'oidc', back)
    const visitor = fixture.api.anonymous()
    const other = await comeBack(visitor, 'oidc', { code: 'x', state: await beginSignIn(visitor) })

    expect([elsewhere, wrong, first, second, other].map(({ status }) => status)).toEqual([403, 403, 200, 403, 403])
    expect(first.body.success).toBe(true)
    expect(other.body).toEqual({ success: false, message: 'state is empty or not same' })
  })

  test('a user who declined there gets that message', async () => {
    const { browser } = await openFixture()

    const { body } = await comeBack(browser, 'oidc', { error: 'access_denied', error_description: 'User said no' })

    expect(body).toEqual({ success: false, message: 'OpenID Connect 拒绝了登录：User said no' })
  })

  test('an empty code, and OpenID Connect disabled meanwhile, are rejected', async () => {
    const fixture = await openFixture()
    const state = async () => fixture.oidc.allow(await start(fixture.browser), ANN).state

    const empty = await comeBack(fixture.browser, 'oidc', { state: await state() })
    const before = await state()
    await setOptions(fixture, { OIDCEnabled: 'false' })
    const off = await comeBack(fixture.browser, 'oidc', { state: before })

    expect(empty.body.message).toBe('无效的参数：code')
    expect(off.body.message).toBe('管理员未开启通过 OpenID Connect 登录以及注册')
  })

  test('a banned or deleted user, or a new one while registration is disabled, gets no session', async () => {
    const fixture = await openFixture()
    await signIn(fixture.api.anonymous(), fixture.oidc)
    await fixture.toolkit.accounts.manage(fixture.root, 2, 'disable')
    const banned = await signIn(fixture.browser, fixture.oidc)
    await softDelete(fixture, 2)
    const deleted = await signIn(fixture.browser, fixture.oidc)
    await setOptions(fixture, { RegisterEnabled: 'false' })
    const fresh = await signIn(fixture.browser, fixture.oidc, { sub: 'other' })

    expect([banned, deleted, fresh].map(({ body }) => body.message)).toEqual([
      '用户已被封禁',
      '用户已注销',
      '管理员关闭了新用户注册',
    ])
    expect([banned, deleted, fresh].flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  })

  test.each(TROUBLE)('if the provider $what, the error says so, without secrets', async ({ answer, message }) => {
    const fixture = await openFixture()
    fixture.oidc.replaceRoute('GET /keys', answer)
    const atKeys = await signIn(fixture.browser, fixture.oidc, ANN, ENGLISH)
    fixture.oidc.replaceRoute('POST /token', answer)
    const atToken = await signIn(fixture.browser, fixture.oidc, ANN, ENGLISH)

    for (const { status, body, text } of [atKeys, atToken]) {
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: false, message: expect.stringMatching(message) },
      })
      expect(text).not.toMatch(/oidc.secret|ticket/)
    }
    expect(await countUsers(fixture)).toBe(1)
  })
})

test('GET /api/status has its label for the sign-in page', async () => {
  const { browser, ...fixture } = await openFixture()
  await setOptions(fixture, { OIDCDisplayName: 'Company' })

  const { body } = await browser.get('/api/status')

  expect(body.data).toMatchObject({ oidc_oauth: true, oidc_client_id: OIDC_CLIENT.id, oidc_display_name: 'Company' })
  expect(JSON.stringify(body)).not.toContain(OIDC_CLIENT.secret)
})

test('it cannot be enabled without issuer, client id and secret', async () => {
  const fixture = await openGateway()
  const enable = () => fixture.toolkit.options.set(fixture.root, 'OIDCEnabled', 'true')

  await expect(enable()).rejects.toMatchObject({
    code: 'OPTION_OIDC_UNCONFIGURED',
    params: { missing: 'OIDCIssuer, OIDCClientId, OIDCClientSecret' },
  })
})
