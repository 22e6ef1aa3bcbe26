import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { openTestGateway, type TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { banWithSessions, PASSWORD, type Person } from '../../support/toolkit.ts'

const openGateway = reused()

/** What needs scripts of others. */
const SCRIPTED = {
  TurnstileSiteKey: 'site',
  TurnstileSecretKey: 'secret',
  TurnstileCheckEnabled: 'true',
  TelegramOAuthEnabled: 'true',
}

interface Envelope {
  success: boolean
  message: string
  data?: Record<string, unknown>
}

async function api({ url }: Pick<TestGateway, 'url'>, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Envelope }
}

const signIn = (fixture: TestGateway, credentials: unknown, headers: Record<string, string> = {}) =>
  api(fixture, '/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(credentials),
  })

/** Signed in: what the browser sends from then on. */
async function session(fixture: TestGateway, person: Person): Promise<string> {
  const { headers } = await signIn(fixture, { username: person.username, password: PASSWORD })
  const [cookie = ''] = headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  return cookie
}

test('GET /api/status has every documented key with its type', async () => {
  const fixture = await openGateway()
  const types = {
    string: [
      'version',
      'github_client_id',
      'github_authorize_url',
      'linuxdo_client_id',
      'linuxdo_authorize_url',
      'oidc_client_id',
      'oidc_display_name',
      'telegram_bot_name',
      'wechat_qrcode',
      'turnstile_site_key',
      'turnstile_script_url',
      'system_name',
      'logo',
      'footer_html',
      'server_address',
      'top_up_link',
      'chat_link',
      'chat_link2',
      'data_export_default_time',
    ],
    number: ['start_time', 'price', 'min_topup', 'quota_per_unit', 'password_length_max'],
    boolean: [
      'email_verification',
      'github_oauth',
      'linuxdo_oauth',
      'oidc_oauth',
      'telegram_oauth',
      'wechat_login',
      'turnstile_check',
      'enable_online_topup',
      'display_in_currency',
      'enable_batch_update',
      'enable_drawing',
      'enable_task',
      'enable_data_export',
      'default_collapse_sidebar',
      'mj_notify_enabled',
      'demo_site_enabled',
    ],
    object: ['chats'],
  }
  const expected = Object.fromEntries(Object.entries(types).flatMap(([type, keys]) => keys.map((key) => [key, type])))

  const { status, headers, body } = await api(fixture, '/api/status')

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toMatchObject({ success: true, message: '' })
  const fieldTypes = Object.fromEntries(Object.entries(body.data ?? {}).map(([key, value]) => [key, typeof value]))
  expect(fieldTypes).toEqual(expected)
  expect(body.data).toMatchObject({
    quota_per_unit: 500_000,
    price: 7.3,
    min_topup: 1,
    server_address: 'http://localhost:3000',
  })
  expect(Array.isArray(body.data?.chats)).toBe(true)
})

describe('POST /api/user/login', () => {
  test('returns the user, without a secret, and sets a cookie for thirty days that no script can read', async () => {
    const fixture = await openGateway()
    const { username, id } = await fixture.user({ quota: 77 })

    const { status, headers, body } = await signIn(fixture, { username: ` ${username} `, password: PASSWORD })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: '',
      data: { id, username, role: 1, status: 1, group: 'default' },
    })
    expect(body.data).toMatchObject({ password: '', access_token: null, quota: 0, DeletedAt: null })
    const [cookie = ''] = headers.getSetCookie()
    const attributes = cookie.split('; ').slice(1)
    expect(cookie).toMatch(/^session=[^;]{32,};/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
  })

  const wrong = '用户名或密码错误，或用户已被封禁'
  test.each([
    { what: 'a wrong password', credentials: (name: string) => ({ username: name, password: 'wrong password' }) },
    { what: 'a user who does not exist', credentials: () => ({ username: 'no-such-user', password: PASSWORD }) },
  ])('rejects $what with 200, success false and the same text', async ({ credentials }) => {
    const fixture = await openGateway()
    const { username } = await fixture.user()

    const { status, headers, body } = await signIn(fixture, credentials(username))

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: wrong } })
    expect(headers.getSetCookie()).toEqual([])
  })

  test('rejects a banned user with the same text', async () => {
    const fixture = await openGateway()
    const person = await fixture.user()
    await fixture.toolkit.accounts.manage(fixture.root, person.id, 'disable')

    const { status, body } = await signIn(fixture, { username: person.username, password: PASSWORD })

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: wrong } })
  })

  test('replies in English on request', async () => {
    const fixture = await openGateway()

    const { body } = await signIn(fixture, { username: 'no-such-user', password: 'x' }, { 'accept-language': 'en' })

    expect(body).toEqual({ success: false, message: 'Username or password incorrect, or user banned' })
  })

  test.each([
    {},
    { username: '', password: '' },
    { username: 'x' },
    [],
    'text',
    null,
    { username: { $ne: 1 }, password: 'x' },
  ])('rejects %j with 200 and success false', async (credentials) => {
    const fixture = await openGateway()

    const { status, body } = await signIn(fixture, credentials)

    expect({ status, success: body.success, text: body.message === '' }).toEqual({
      status: 200,
      success: false,
      text: false,
    })
  })
})

describe('GET /api/user/self', () => {
  async function openShop() {
    const fixture = await openGateway()
    const person = await fixture.user({ quota: 500 })
    const cookie = await session(fixture, person)
    const self = (headers: Record<string, string> = {}) =>
      api(fixture, '/api/user/self', { headers: { cookie, ...headers } })
    return { ...fixture, person, cookie, self }
  }

  test.each(['Tollgate-User', 'New-Api-User', 'New-API-User', 'tollgate-user'])(
    'replies with the header %s',
    async (header) => {
      const { person, self } = await openShop()

      const { status, body } = await self({ [header]: String(person.id) })

      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        data: { id: person.id, username: person.username, quota: 500, password: '' },
      })
    },
  )

  const refusals: Record<string, { headers: (id: number) => Record<string, string>; message: RegExp }> = {
    'without the header': { headers: () => ({}), message: /未提供/ },
    'with an empty header': { headers: () => ({ 'Tollgate-User': '' }), message: /未提供/ },
    'with a header that is no number': { headers: () => ({ 'Tollgate-User': 'me' }), message: /格式错误/ },
    'with the id of another user': { headers: (id) => ({ 'Tollgate-User': String(id + 1) }), message: /不匹配/ },
    'with the -1 of a signed-out client': { headers: () => ({ 'New-Api-User': '-1' }), message: /不匹配/ },
  }
  test.each(Object.entries(refusals))('%s is 401', async (_, { headers, message }) => {
    const { person, self } = await openShop()

    const { status, body } = await self(headers(person.id))

    expect(status).toBe(401)
    expect(body).toEqual({ success: false, message: expect.stringMatching(message) })
  })

  test('without a session, or with an invented one, is 401', async () => {
    const { self, person } = await openShop()
    const header = { 'Tollgate-User': String(person.id) }

    for (const cookie of ['', 'session=made-up', 'session=%00', 'other=1']) {
      const { status, body } = await self({ ...header, cookie })
      expect({ status, message: body.message }).toEqual({
        status: 401,
        message: '无权进行此操作，未登录且未提供 access token',
      })
    }
  })

  test('of a user banned meanwhile is rejected with 200', async () => {
    const { self, person, toolkit } = await openShop()
    await banWithSessions({ toolkit }, person.id)

    const { status, body } = await self({ 'Tollgate-User': String(person.id) })

    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: '用户已被封禁' } })
  })

  test('an API key is not accepted', async () => {
    const fixture = await openShop()
    const { key } = await fixture.token(fixture.person)

    const { body } = await api(fixture, '/api/user/self', {
      headers: { authorization: `Bearer sk-${key}`, 'Tollgate-User': String(fixture.person.id) },
    })

    expect(body.success).toBe(false)
  })

  test('after the logout the session is deleted, on the server and in the browser', async () => {
    const fixture = await openShop()
    const header = { 'Tollgate-User': String(fixture.person.id) }
    expect((await fixture.self(header)).status).toBe(200)

    const { status, headers, body } = await api(fixture, '/api/user/logout', { headers: { cookie: fixture.cookie } })

    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: '' } })
    expect(headers.getSetCookie().join()).toMatch(/session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
    expect((await fixture.self(header)).status).toBe(401)
  })
})

describe('GET /api/log/self', () => {
  test("shows only the user's rows, and never their channel", async () => {
    const fixture = await openGateway()
    const [mine, other] = [await fixture.user({ quota: 1000 }), await fixture.user({ quota: 1000 })]
    const use = { other: JSON.stringify({ model_ratio: 1, admin_info: { use_channel: ['1'] } }) }
    await fixture.charge(mine, { quota: 5, ...use })
    await fixture.charge(other, { quota: 7, ...use })

    const { body } = await api(fixture, '/api/log/self?type=2', {
      headers: { cookie: await session(fixture, mine), 'Tollgate-User': String(mine.id) },
    })

    const items = body.data?.items as { quota: number; user_id: number; other: string }[]
    expect(items).toMatchObject([{ quota: 5, user_id: mine.id }])
    expect(items[0]?.other).not.toContain('admin_info')
  })

  test('without a session is 401', async () => {
    const fixture = await openGateway()

    expect((await api(fixture, '/api/log/self')).status).toBe(401)
  })
})

describe('paths', () => {
  test.each(['/api/status/', '/api/user/self/', '/api/user/logout/'])(
    '%s equals the path without a trailing slash',
    async (path) => {
      const fixture = await openGateway()

      const [slashed, plain] = [await api(fixture, path), await api(fixture, path.slice(0, -1))]

      expect(slashed.status).toBe(plain.status)
      expect(slashed.body.message).toBe(plain.body.message)
    },
  )

  test.each(['/api/nope', '/api', '/v1/nope', '/v1/chat', '/assets/nope.js'])(
    '%s, which does not exist, is the documented 404',
    async (path) => {
      const fixture = await openGateway()

      const response = await fetch(`${fixture.url}${path}?secret=1`)

      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({
        error: { message: `Invalid URL (GET ${path})`, type: 'invalid_request_error', param: '', code: '' },
      })
    },
  )

  test('an unsupported method is the same 404', async () => {
    const fixture = await openGateway()

    const response = await fetch(`${fixture.url}/api/status`, { method: 'PUT' })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { message: 'Invalid URL (PUT /api/status)' } })
  })

  test('any other path is a console screen, with headers that block foreign scripts and frames', async () => {
    const fixture = await openGateway()

    for (const path of ['/', '/login', '/tokens/7?page=2']) {
      const response = await fetch(fixture.url + path, { headers: { accept: 'text/html' } })
      const page = await response.text()
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toMatch(/default-src 'self'.*frame-ancestors 'none'/)
      expect(page).toContain('<div id="root">')
    }
  })

  test.each([
    ['/mcp', {}, { error: { message: 'Invalid URL (GET /mcp)' } }],
    ['/metric', { 'anthropic-version': '2023-06-01' }, { type: 'error', error: { type: 'not_found_error' } }],
    ['/healthz/nope', { 'x-goog-api-key': 'sk-x' }, { error: { status: 'NOT_FOUND' } }],
    ['/anthropic/nope', {}, { type: 'error', error: { type: 'not_found_error' } }],
    ['/v2/nope', {}, { message: 'Invalid URL (GET /v2/nope)' }],
    ['/api/ps', {}, { error: 'Invalid URL (GET /api/ps)' }],
  ])('%s, called by a program, is a 404 in the format of its headers and no page', async (path, headers, body) => {
    const { url } = await openGateway()

    const response = await fetch(url + path, { headers: headers as Record<string, string> })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject(body)
    expect(response.headers.get('x-request-id')).toMatch(/^\d{14}/)
  })

  test("the console's files are compressed for clients that accept it, cached forever, and caches keep both forms", async () => {
    const { url } = await openGateway()
    const page = await (await fetch(url)).text()
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
    const ask = (path: string, encoding: string, method: 'GET' | 'HEAD' = 'GET') =>
      request(url + path, { method, headers: { accept: 'text/html', 'accept-encoding': encoding } })

    const [packed, plain, head] = [
      await ask(script, 'gzip, br'),
      await ask(script, 'identity'),
      await ask(script, 'gzip', 'HEAD'),
    ]

    for (const { statusCode, headers } of [packed, plain, head]) {
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringContaining('javascript'),
        vary: 'accept-encoding',
      })
    }
    expect(packed.headers['content-encoding']).toBe('br')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(head.headers['content-encoding']).toBe('gzip')
    expect(Number(head.headers['content-length'])).toBeGreaterThan(Number(packed.headers['content-length']))
    expect(brotliDecompressSync(Buffer.from(await packed.body.arrayBuffer())).toString()).toBe(await plain.body.text())
    for (const path of ['/', '/token']) {
      const { headers, body } = await ask(path, 'gzip')
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-encoding': 'gzip',
        vary: 'accept-encoding',
      })
      expect(headers.etag ?? headers['last-modified'], 'the next build has a page of the same size').toBeUndefined()
      expect(gunzipSync(Buffer.from(await body.arrayBuffer())).toString()).toBe(page)
    }
    expect((await ask('/assets/gone.js', 'gzip')).statusCode).toBe(404)
  })

  test('the console runs its own scripts, and if enabled those of the bot check and of Telegram', async () => {
    const fixture = await openTestGateway({ settings: { TURNSTILE_URL: 'https://check.example.org/proxied' } })
    for (const [key, value] of Object.entries(SCRIPTED)) await fixture.toolkit.options.set(fixture.root, key, value)

    const response = await fetch(fixture.url)

    const policy = new Map(
      (response.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
    )
    expect(policy.get('script-src')).toEqual(["'self'", 'https://check.example.org', 'https://telegram.org'])
    expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'blob:'])
    expect(policy.get('media-src')).toEqual(["'self'", 'https:', 'http:'])
    expect(policy.get('frame-src')).toEqual(['https:', 'http:'])
    // Calls go where nothing else is said: to this server.
    expect(policy.get('connect-src') ?? policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
  })

  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/%00',
    '/%E0%A4%A',
  ])('%s reaches no file outside the console', async (path) => {
    const fixture = await openGateway()

    const response = await fetch(fixture.url + path)

    expect(response.status).toBeLessThan(500)
    expect(await response.text()).not.toContain('"dependencies"')
  })

  test('every reply has a unique request id', async () => {
    const fixture = await openGateway()
    const paths = ['/api/status', '/api/nope', '/api/user/self', '/v1/models', '/v1/nope', '/', '/login', '/%E0%A4%A']

    const ids = await Promise.all(
      paths.map(async (path) => (await fetch(fixture.url + path)).headers.get('x-oneapi-request-id')),
    )

    expect(ids.map((id) => /^\w{20,64}$/.test(id ?? ''))).toEqual(paths.map(() => true))
    expect(new Set(ids).size).toBe(paths.length)
  })
})
