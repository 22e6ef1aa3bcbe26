import { beforeEach, describe, expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { openTestGateway } from '../support/gateway.ts'
import { shared } from '../support/lifetime.ts'
import { readOperations } from '../support/operations.ts'
import { type RawAnswer, rawRequest } from '../support/raw-request.ts'
import { GITHUB_APP, startGitHub } from '../support/sign-in/github.ts'
import { beginSignIn, setOptions, userOf } from '../support/sign-in/visit.ts'
import { type DatabaseKind, PASSWORD, skipWithoutPostgres } from '../support/toolkit.ts'

/** Documented GET calls that change something. */
const ACTING = [
  '/api/user/token',
  '/api/user/logout',
  '/api/channel/test',
  '/api/channel/test/1',
  '/api/channel/update_balance',
  '/api/channel/update_balance/1',
  '/api/channel/fetch_models/1',
  '/api/oauth/state',
  '/api/oauth/github',
  '/api/oauth/linuxdo',
  '/api/oauth/oidc',
  '/api/oauth/oidc/start',
  '/api/oauth/wechat',
  '/api/oauth/wechat/bind',
  '/api/oauth/telegram/login',
  '/api/oauth/telegram/bind',
  '/api/oauth/email/bind',
  '/api/verification',
  '/api/reset_password',
]
const JSON_TYPE = { 'content-type': 'application/json' }

const fixture = shared(async () => {
  return openTestGateway()
})

/** What the browser of a signed-in person sends along, no matter who wrote the page. */
async function signedIn(person = fixture().root) {
  const session = await fixture().toolkit.sessions.create(person.id)
  return { cookie: `session=${session}`, 'tollgate-user': String(person.id) }
}

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  rawRequest(fixture().url + path, { method, headers: { 'accept-language': 'en', ...headers }, ...(body && { body }) })
const codeOf = ({ headers }: RawAnswer) =>
  JSON.parse(decodeURIComponent(String(headers['tollgate-error'] ?? 'null')))?.code

describe('a page of another site', () => {
  test('can make no call that changes data', async () => {
    const browser = await signedIn()
    const operations = await readOperations(fixture().url)
    const changing = operations
      .filter(({ method, path }) => path.startsWith('/api/') && method.toUpperCase() !== 'GET')
      .map(({ method, path }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, '1')] as const)
    expect(changing.length).toBeGreaterThan(40)
    const calls = [...changing, ...ACTING.map((path) => ['GET', path] as const), ['HEAD', '/api/user/token'] as const]
    const passed: string[] = []
    for (const [method, path] of calls) {
      for (const site of ['cross-site', 'same-site']) {
        const answer = await send(method, path, { ...browser, 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' })
        if (answer.status !== 403 || codeOf(answer) !== 'REQUEST_CROSS_SITE')
          passed.push(`${method} ${path} ${site}: ${answer.status} ${answer.text}`)
      }
    }
    expect(passed).toEqual([])
  })

  test('cannot sign a browser in, nor start a chat that its reader pays', async () => {
    const body = JSON.stringify({ username: fixture().root.username, password: PASSWORD })
    const foreign = { 'sec-fetch-site': 'cross-site', ...JSON_TYPE }
    const login = await send('POST', '/api/user/login', foreign, body)
    expect([login.status, login.headers['set-cookie']]).toEqual([403, undefined])
    const chat = await send('POST', '/pg/chat/completions', { ...(await signedIn()), ...foreign }, '{}')
    expect([chat.status, JSON.parse(chat.text).error.code]).toEqual([403, 'request_cross_site'])
  })

  test.each([
    ['of another host', 'https://evil.example'],
    ['of a subdomain', 'https://pages.gateway.example'],
    ['of another port', 'https://gateway.example:8443'],
    ['whose name begins alike', 'https://gateway.example.evil.example'],
    ['without an origin', 'null'],
    ['with an unreadable origin', 'evil'],
  ])('%s is recognized by its origin if the browser sends no Sec-Fetch-Site', async (_, origin) => {
    const headers = { ...(await signedIn()), ...JSON_TYPE, host: 'gateway.example', origin }
    const answer = await send('POST', '/api/token/', headers, '{"name":"stolen"}')
    expect([answer.status, codeOf(answer)]).toEqual([403, 'REQUEST_CROSS_SITE'])
  })

  test.each([
    ['127.0.0.1:3000', 'https://evil.example'],
    ['127.0.0.1:3000', 'http://127.0.0.1:8080'],
    ['127.0.0.1:3000', 'http://localhost:3000'],
    ['localhost:3000', 'http://localhost:8080'],
    ['localhost:3000', 'http://localhost.evil.example:3000'],
    ['[::1]:3000', 'http://evil.example'],
  ])('is recognized by its origin at a loopback address, too: %s requested by %s', async (host, origin) => {
    const headers = { ...(await signedIn()), ...JSON_TYPE, host, origin }
    const answer = await send('POST', '/api/token/', headers, '{"name":"stolen"}')
    expect([answer.status, codeOf(answer)]).toEqual([403, 'REQUEST_CROSS_SITE'])
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/json-patch+json',
    '',
  ])('can send no body except JSON, with %j', async (type) => {
    const { cookie, 'tollgate-user': user } = await signedIn()
    const body = JSON.stringify({ username: fixture().root.username, password: PASSWORD })
    for (const sign of [{ cookie }, { origin: fixture().url }, { 'sec-fetch-site': 'same-origin' }]) {
      const headers = { 'tollgate-user': user, ...(type && { 'content-type': type }), ...sign }
      const answer = await send('POST', '/api/user/login', headers, body)
      expect([answer.status, codeOf(answer), answer.headers['set-cookie']]).toEqual([415, 'BODY_NOT_JSON', undefined])
    }
  })

  test.each(['CROSS-SITE', 'cross-site, same-origin', 'other', ''])('is any unknown one: %j', async (site) => {
    const headers = { ...(await signedIn()), ...JSON_TYPE, 'sec-fetch-site': site }
    const answer = await send('POST', '/api/token/', headers, '{"name":"stolen"}')
    expect([answer.status, codeOf(answer)]).toEqual([403, 'REQUEST_CROSS_SITE'])
  })

  test('may link to read-only calls', async () => {
    const answer = await send('GET', '/api/notice', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
    expect(answer.status).toBe(200)
  })
})

describe('the own page and programs still work', () => {
  const create = (headers: Record<string, string>) => send('POST', '/api/token/', headers, '{"name":"own"}')

  test.each<[title: string, headers: Record<string, string>]>([
    ['a page that was opened here', { 'sec-fetch-site': 'same-origin' }],
    ['an address that a person typed', { 'sec-fetch-site': 'none' }],
    ['without TLS', { host: 'gateway.example', origin: 'http://gateway.example' }],
    ['with the default port in the host', { host: 'gateway.example:443', origin: 'https://gateway.example' }],
    ['on this machine, by its name', { host: 'localhost:3000', origin: 'http://localhost:3000' }],
    ['on this machine, by its address', { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }],
    ['on this machine, by IPv6', { host: '[::1]:3000', origin: 'http://[::1]:3000' }],
    ['a program with a cookie', {}],
  ])('%s', async (_, headers) => {
    const { status, text } = await create({ ...(await signedIn()), ...JSON_TYPE, ...headers })
    expect([status, JSON.parse(text).success]).toEqual([200, true])
  })

  test.each(['inner:3000', '127.0.0.1:3000'])('behind a proxy that sends %s, by the public address', async (host) => {
    const { toolkit, root } = fixture()
    const headers = { ...(await signedIn()), ...JSON_TYPE, host, origin: 'https://public.example' }
    expect((await create(headers)).status).toBe(403)
    await toolkit.options.set(root, 'ServerAddress', 'https://public.example')
    try {
      expect((await create(headers)).status).toBe(200)
    } finally {
      await toolkit.options.set(root, 'ServerAddress', '')
    }
  })

  test('programs with an access token, with any content type', async () => {
    const person = await fixture().user()
    const authorization = await fixture().toolkit.accessTokens.create(person)
    for (const type of [{}, { 'content-type': 'application/x-www-form-urlencoded' }, JSON_TYPE]) {
      // Node's fetch says a mode, but no site.
      const headers = { authorization, 'tollgate-user': String(person.id), 'sec-fetch-mode': 'cors', ...type }
      expect(JSON.parse((await create(headers)).text).success).toBe(true)
    }
    expect((await send('GET', '/api/user/token', { authorization, 'tollgate-user': String(person.id) })).status).toBe(
      200,
    )
  })

  test('notifications of a payment gateway', async () => {
    expect(await send('GET', '/api/user/epay/notify?pid=1', {})).toMatchObject({ status: 200, text: 'fail' })
    const headers = { origin: 'https://pay.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    expect(await send('GET', '/api/user/epay/notify?pid=1', headers)).toMatchObject({ status: 200, text: 'fail' })
  })
})

for (const database of ['sqlite', 'postgres'] as const) {
  describe(`binding an account of a provider, on ${database}`, () => {
    if (database === 'postgres') beforeEach(skipWithoutPostgres)
    bindingTests(database)
  })
}

function bindingTests(database: DatabaseKind) {
  const bound = shared(async () => {
    const github = await startGitHub()
    const settings = { GITHUB_URL: github.url, GITHUB_API_URL: `${github.url}/api/v3` }
    const opened = await openTestGateway({ database, settings })
    await setOptions(opened, {
      GitHubClientId: GITHUB_APP.client_id,
      GitHubClientSecret: GITHUB_APP.client_secret,
      GitHubOAuthEnabled: 'true',
    })
    return { ...opened, github, api: openApi(opened) }
  })

  let victims = 0
  async function arrive(headers: (cookie: string, id: number) => Record<string, string>) {
    const { user, api, github, url } = bound()
    const attacker = await user()
    const browser = await api.as(attacker)
    const state = await beginSignIn(browser)
    // The victim's browser comes back from GitHub with the victim's code, while it has the attacker's cookie.
    const login = `victim-${++victims}`
    const query = new URLSearchParams({ code: github.allow({ login }), state })
    const answer = await rawRequest(`${url}/api/oauth/github?${query}`, {
      headers: headers(browser.cookie(), attacker.id),
    })
    return { answer, login: (await userOf(bound(), attacker.id)).github_id.replace(/-\d+$/, '') }
  }

  test.each<[title: string, status: number, headers: Record<string, string>]>([
    ['that has only the cookie', 401, {}],
    ['that another user has opened', 401, { 'tollgate-user': '1' }],
    [
      'that a link has opened',
      200,
      { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', 'tollgate-user': 'own' },
    ],
    ['that a page of another site sends', 403, { 'sec-fetch-site': 'cross-site', 'tollgate-user': 'own' }],
    ['that a page of a subdomain sends', 403, { 'sec-fetch-site': 'same-site', 'tollgate-user': 'own' }],
  ])('is not done by a request %s', async (_, status, sent) => {
    const { answer, login } = await arrive((cookie, id) => ({
      cookie,
      ...sent,
      ...(sent['tollgate-user'] === 'own' && { 'tollgate-user': String(id) }),
    }))
    expect([answer.status, login]).toEqual([status, ''])
    expect(JSON.parse(answer.text).success).toBe(false)
  })

  test('is done by the page of the user', async () => {
    const { answer, login } = await arrive((cookie, id) => ({
      cookie,
      'tollgate-user': String(id),
      'sec-fetch-site': 'same-origin',
    }))
    expect([JSON.parse(answer.text), login]).toEqual([{ success: true, message: 'bind' }, 'victim'])
  })

  test.each(['/api/oauth/wechat/bind', '/api/oauth/telegram/bind', '/api/oauth/email/bind'])(
    'is not done by a cookie alone: %s',
    async (path) => {
      const { user, api, url } = bound()
      const cookie = (await api.as(await user())).cookie()
      expect((await rawRequest(url + path, { headers: { cookie } })).status).toBe(401)
    },
  )
}
