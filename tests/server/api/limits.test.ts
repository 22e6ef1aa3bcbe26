import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { endSessions } from '../../../core/sessions.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway, type Settings } from '../../support/gateway.ts'
import { NO_ID, plausibleRequest, readOperations } from '../../support/operations.ts'
import { CALLS, type Call, nameOf } from './calls.ts'

/** The three classes, small enough to be used up. Every test says which it turns on. */
const LIMITS = {
  api: { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', GLOBAL_API_RATE_LIMIT: '5' },
  web: { GLOBAL_WEB_RATE_LIMIT_ENABLE: 'true', GLOBAL_WEB_RATE_LIMIT: '5' },
  critical: { CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '5' },
} as const

async function open(settings: Settings) {
  const fixture = await openTestGateway({ settings })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(fixture.url + path, { headers, redirect: 'manual' })
  /** The statuses of so many calls, one after the other. */
  async function statuses(path: string, count: number, headers: Record<string, string> = {}): Promise<number[]> {
    const statuses: number[] = []
    for (let call = 0; call < count; call++) statuses.push((await get(path, headers)).status)
    return statuses
  }
  return { ...fixture, get, statuses }
}

/** What is served of the documented calls, the relay's own paths left out. */
async function managedOperations(url: string) {
  const documented = new Set(CALLS.map(nameOf))
  return (await readOperations(url)).filter((operation) => operation.access && documented.has(nameOf(operation)))
}

const PAGE = { accept: 'text/html' }

describe('the limit of all calls', () => {
  test('returns 429 with an empty body after an address exhausts it', async () => {
    const { statuses, get } = await open(LIMITS.api)

    const allowed = await statuses('/api/status', 5)
    const refused = await get('/api/status')

    expect(allowed).toEqual([200, 200, 200, 200, 200])
    expect(refused.status).toBe(429)
    expect(await refused.text()).toBe('')
  })

  test('is shared by all calls, including rejected ones, and comes before authentication', async () => {
    const { get, statuses } = await open(LIMITS.api)

    await statuses('/api/user/self', 3)
    await statuses('/api/status', 2)

    expect((await get('/api/user/self')).status).toBe(429)
  })

  test('is separate from the page limit, and the relay is in no class', async () => {
    const { get, statuses } = await open(LIMITS.api)

    await statuses('/api/status', 6)

    expect((await get('/login', PAGE)).status).toBe(200)
    expect((await get('/v1/models')).status).toBe(401)
  })

  test('allows an address again after its window', async () => {
    const { statuses, get } = await open({ ...LIMITS.api, GLOBAL_API_RATE_LIMIT_DURATION: '1' })
    expect(await statuses('/api/status', 6)).toContain(429)

    await expect.poll(async () => (await get('/api/status')).status, { timeout: 5000, interval: 200 }).toBe(200)
  })

  test('covers the billing calls, which the relay serves', async () => {
    const { statuses, get } = await open(LIMITS.api)

    await statuses('/api/status', 5)

    for (const { path } of CALLS.filter(({ access }) => access === 'key')) {
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 429 })
    }
  })
})

describe('the limit of signed-in reads', () => {
  test('counts per user, so that several users of one address do not block each other', async () => {
    const fixture = await open(LIMITS.api)
    const api = openApi(fixture)
    const [ann, bob] = [await api.as(await fixture.user()), await api.as(await fixture.user())]
    const calls = async (client: typeof ann, count: number) => {
      const statuses: number[] = []
      for (let call = 0; call < count; call++) statuses.push((await client.get('/api/user/self')).status)
      return statuses
    }
    await fixture.statuses('/api/status', 5) // the address has none left

    // The first read only identifies the session. Sessions have eight times the limit of an address.
    expect(await calls(ann, 42)).toEqual([...Array(41).fill(200), 429])
    expect(await calls(bob, 42)).toEqual([...Array(41).fill(200), 429])
    expect((await fixture.get('/api/status')).status).toBe(429)
  })

  test('applies to all sessions of a user together', async () => {
    const fixture = await open(LIMITS.api)
    const api = openApi(fixture)
    const person = await fixture.user()
    const [desk, phone] = [await api.as(person), await api.as(person)]
    // The first call of each session counts for the address: whose it is, is not known before.
    for (let call = 0; call < 21; call++) await desk.get('/api/user/self')
    for (let call = 0; call < 21; call++) await phone.get('/api/user/self')

    expect((await desk.get('/api/user/self')).status).toBe(429)
    expect((await phone.get('/api/user/self')).status).toBe(429)
  })

  test('is not raised for access tokens', async () => {
    const fixture = await open(LIMITS.api)
    const person = await fixture.user()
    const headers = {
      authorization: `Bearer ${await fixture.toolkit.accessTokens.create(person)}`,
      'tollgate-user': String(person.id),
    }

    // The first one counts for the address.
    expect(await fixture.statuses('/api/user/self', 7, headers)).toEqual([...Array(6).fill(200), 429])
  })

  test('is separate from the changes of an administrator, which count for the session', async () => {
    const fixture = await open(LIMITS.api)
    const root = await openApi(fixture).as(fixture.root)
    for (let call = 0; call < 20; call++) expect((await root.get('/api/user/self')).status).toBe(200)

    const statuses: number[] = []
    for (let call = 0; call < 6; call++) statuses.push((await root.put('/api/user/self', { display_name: 'R' })).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('does not include changes: they count for the address', async () => {
    const fixture = await open(LIMITS.api)
    const ann = await openApi(fixture).as(await fixture.user())
    await ann.get('/api/user/self')
    await fixture.statuses('/api/status', 5)

    expect((await ann.put('/api/user/self', { display_name: 'Ann' })).status).toBe(429)
    expect((await ann.get('/api/user/self')).status).toBe(200)
  })

  test('does not include reads of an ended session', async () => {
    const fixture = await open(LIMITS.api)
    const person = await fixture.user()
    const ann = await openApi(fixture).as(person)
    await fixture.statuses('/api/status', 5)
    await fixture.toolkit.db.transaction((trx) => endSessions(trx, person.id))

    expect((await ann.get('/api/user/self')).status).toBe(429)
  })
})

describe('the limit of pages', () => {
  test('covers screens and unknown paths together, but not the management API', async () => {
    const { statuses, get } = await open(LIMITS.web)

    expect(await statuses('/login', 3, PAGE)).toEqual([200, 200, 200])
    expect(await statuses('/api/nope', 2)).toEqual([404, 404])
    const refused = await get('/tokens', PAGE)

    expect({ status: refused.status, body: await refused.text() }).toEqual({ status: 429, body: '' })
    expect((await get('/api/nope')).status).toBe(429)
    expect((await get('/api/status')).status).toBe(200)
  })
})

describe('the limit of sign-in, registration and mails', () => {
  test('is shared by all its calls: five sign-ins exhaust it for each of them, and no other', async () => {
    const fixture = await open(LIMITS.critical)
    const api = openApi(fixture)
    const critical = new Set(CALLS.filter((call) => call.critical).map(nameOf))
    for (let attempt = 0; attempt < 5; attempt++) {
      await api.anonymous().post('/api/user/login', { username: 'no-such-user', password: 'wrong password' })
    }

    const wrong: string[] = []
    for (const operation of await managedOperations(fixture.url)) {
      const { method, path, json } = plausibleRequest(operation)
      const { status } = await api.anonymous().send(method, path, json)
      if ((status === 429) !== critical.has(nameOf(operation))) wrong.push(`${nameOf(operation)}: ${status}`)
    }

    expect(wrong).toEqual([])
  })

  test('counts against the limit of all calls too', async () => {
    const { url, get } = await open(LIMITS.api)
    for (let attempt = 0; attempt < 5; attempt++) await fetch(`${url}/api/user/login`, { method: 'POST', body: '{}' })

    expect((await get('/api/status')).status).toBe(429)
  })
})

describe('an address', () => {
  test('is that of the connection, despite headers of the caller', async () => {
    const { get } = await open(LIMITS.api)
    const answers: number[] = []

    for (let host = 1; host <= 6; host++) {
      const forged = { 'x-forwarded-for': `203.0.113.${host}`, 'x-real-ip': `203.0.113.${host}` }
      answers.push((await get('/api/status', forged)).status)
    }

    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('is set by a trusted proxy', async () => {
    const { statuses } = await open({ ...LIMITS.api, TRUST_PROXY: '127.0.0.1' })

    const first = await statuses('/api/status', 6, { 'x-forwarded-for': '203.0.113.1' })
    const second = await statuses('/api/status', 5, { 'x-forwarded-for': '203.0.113.2' })

    expect(first).toEqual([200, 200, 200, 200, 200, 429])
    expect(second).toEqual([200, 200, 200, 200, 200])
  })

  test('counts all invalid addresses together', async () => {
    const { get } = await open({ ...LIMITS.api, TRUST_PROXY: 'on' })
    const answers = []
    for (const text of ['a', 'b', '1', '127.1', 'unknown', 'x'.repeat(3000)]) {
      answers.push((await get('/api/status', { 'x-forwarded-for': text })).status)
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
    expect((await get('/api/status', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
  })

  test('without a trusted proxy ignores forwarded headers', async () => {
    const { get } = await open({ ...LIMITS.api, TRUST_PROXY: '10.0.0.0/8' })
    const answers: number[] = []

    for (let host = 1; host <= 6; host++) {
      answers.push((await get('/api/status', { 'x-forwarded-for': `203.0.113.${host}` })).status)
    }

    expect(answers.at(-1)).toBe(429)
  })

  test('of IPv6 counts as its whole /64, and an IPv4-mapped one as itself', async () => {
    const { statuses, get } = await open({ ...LIMITS.api, TRUST_PROXY: '127.0.0.1' })
    const from = (address: string) => ({ 'x-forwarded-for': address })

    await statuses('/api/status', 5, from('2001:db8:1:2::1'))
    await statuses('/api/status', 5, from('::ffff:203.0.113.9'))

    expect((await get('/api/status', from('2001:db8:1:2:ffff:ffff:ffff:ffff'))).status).toBe(429)
    expect((await get('/api/status', from('2001:db8:1:3::1'))).status).toBe(200)
    expect((await get('/api/status', from('203.0.113.9'))).status).toBe(429)
    expect((await get('/api/status', from('203.0.113.10'))).status).toBe(200)
  })
})

describe('pages of other origins', () => {
  const ORIGIN = { origin: 'https://elsewhere.example' }
  const pathOf = ({ path }: Call) => path.replace(':id', String(NO_ID))

  test('may read replies authorized by a key, and no other of the management API', async () => {
    const fixture = await open({})

    const wrong: string[] = []
    for (const call of CALLS) {
      const answer = await fetch(fixture.url + pathOf(call), { method: call.method, headers: ORIGIN })
      const allowed = answer.headers.get('access-control-allow-origin')
      if (allowed !== (call.anyOrigin ? '*' : null)) wrong.push(`${nameOf(call)}: ${allowed}`)
    }

    expect(wrong).toEqual([])
  })

  test('may read pages and the replies to unknown paths', async () => {
    const { url } = await open({})

    for (const path of ['/', '/login', '/api/nope', '/v1/nope']) {
      const answer = await fetch(url + path, { headers: ORIGIN })
      expect({ path, allowed: answer.headers.get('access-control-allow-origin') }).toEqual({ path, allowed: '*' })
    }
    const without = await fetch(`${url}/api/nope`)
    expect(without.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('may send preflights: each path returns 204 with the allowed methods', async () => {
    const fixture = await open({})
    const paths = [...new Set(CALLS.map(pathOf)), '/api/nope', '/nope', '/v1/chat/completions', '/v1/nope']

    for (const path of paths) {
      const requested = 'authorization,x-stainless-lang'
      const headers = {
        ...ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': requested,
      }
      const answer = await fetch(fixture.url + path, { method: 'OPTIONS', headers })
      expect({ path, status: answer.status, body: await answer.text() }).toEqual({ path, status: 204, body: '' })
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
        'access-control-allow-headers': requested,
        'access-control-max-age': '43200',
      })
    }
  })
})

describe('a reply', () => {
  test('is compressed only for clients that accept gzip', async () => {
    const { url } = await open({})
    const ask = (encoding: string) => request(`${url}/api/status`, { headers: { 'accept-encoding': encoding } })

    const [packed, plain] = [await ask('gzip, br'), await ask('identity')]
    const unpacked = gunzipSync(Buffer.from(await packed.body.arrayBuffer())).toString()

    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringMatching(/accept-encoding/i),
      'content-type': 'application/json; charset=utf-8',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(unpacked).toBe(await plain.body.text())
  })

  test.each([
    ['GET', '/api/status', 200],
    ['GET', '/api/user/self', 401],
    ['POST', '/api/user/login', 200],
    ['GET', '/api/nope', 404],
    ['PATCH', '/api/status', 404],
  ])('of %s %s is JSON in UTF-8 and has a request id', async (method, path, status) => {
    const { url } = await open({})

    const answer = await fetch(url + path, { method })

    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-oneapi-request-id')).toMatch(/^20\d{12}\w{8,}$/)
    await answer.json()
  })
})

describe('a body', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'x', 'a/b;;', ''])(
    'is JSON even with the Content-Type %j',
    async (type) => {
      const { url } = await open({})
      const body = JSON.stringify({ username: 'no-such-user', password: 'wrong password' })

      const answer = await fetch(`${url}/api/user/login`, { method: 'POST', headers: { 'content-type': type }, body })

      expect(await answer.json()).toMatchObject({ success: false, message: '用户名或密码错误，或用户已被封禁' })
    },
  )
})

describe('a path', () => {
  test('is the same with and without a trailing slash, query included', async () => {
    const fixture = await open({})
    const client = await openApi(fixture).as(fixture.root)
    const differing: string[] = []

    for (const { method, path } of CALLS.filter((call) => call.method === 'GET' && call.path !== '/api/user/logout')) {
      const bare = path.replace(':id', String(NO_ID)).replace(/\/$/, '')
      const [slashed, plain] = [await client.send(method, `${bare}/?p=1`), await client.send(method, `${bare}?p=1`)]
      if (plain.status === 404 || slashed.status !== plain.status || slashed.body.message !== plain.body.message) {
        differing.push(`${method} ${bare}: ${plain.status}, ${slashed.status}`)
      }
    }

    expect(differing).toEqual([])
  })

  test('has only its own methods: others are unknown paths, never 405', async () => {
    const fixture = await open({})
    const served = new Set(CALLS.map(nameOf))
    const paths = [...new Set(CALLS.map(({ path }) => path))]

    for (const path of paths) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'].filter((other) => !hasMethod(served, other, path))) {
        const url = path.replace(':id', String(NO_ID))
        const answer = await fetch(fixture.url + url, { method })
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 })
        expect(await answer.json()).toMatchObject({ error: { message: `Invalid URL (${method} ${url})` } })
      }
    }
  })
})

/** `DELETE /api/user/search` is `DELETE /api/user/:id` with a strange id. */
function hasMethod(served: Set<string>, method: string, path: string): boolean {
  const parent = path.replace(/[^/]+$/, ':id')
  return served.has(nameOf({ method, path })) || served.has(nameOf({ method, path: parent }))
}

describe('the bot check', () => {
  test('applies to its calls and no others while it is enabled', async () => {
    const fixture = await open({ TURNSTILE_URL: 'http://127.0.0.1:9' })
    const { options } = fixture.toolkit
    await options.set(fixture.root, 'TurnstileSiteKey', 'site')
    await options.set(fixture.root, 'TurnstileSecretKey', 'secret')
    await options.set(fixture.root, 'TurnstileCheckEnabled', 'true')
    const api = openApi(fixture)
    const checked = new Set(CALLS.filter(({ botCheck }) => botCheck).map(nameOf))

    const requests: string[] = []
    for (const operation of await managedOperations(fixture.url)) {
      const { method, path, json } = plausibleRequest(operation)
      const { body } = await api.anonymous().send(method, path, json)
      if (body.message === 'Turnstile token 为空') requests.push(nameOf(operation))
    }

    expect(new Set(requests)).toEqual(checked)
  })
})

describe('the limit of an administrator', () => {
  test('counts per credential: an address exhausted by others does not stop a pipeline', async () => {
    const fixture = await open({ ...LIMITS.api, GLOBAL_API_RATE_LIMIT_DURATION: '600' })
    const admin = await fixture.user({ role: 10 })
    const token = await fixture.toolkit.accessTokens.create(admin)
    const headers = { authorization: `Bearer ${token}`, 'tollgate-user': String(admin.id) }
    expect(await fixture.statuses('/api/status', 6)).toContain(429)

    // The first call is proven, and counted for the address; from then on the credential has its own count.
    expect(await fixture.statuses('/api/channel/', 7, headers)).toEqual([200, 200, 200, 200, 200, 200, 429])
    const key = await fixture.toolkit.managementKeys.create(admin, { name: 'x', scopes: ['channels:read'] })
    const other = { ...headers, authorization: `Bearer ${key.key}` }
    expect(await fixture.statuses('/api/channel/', 2, other)).toEqual([200, 200])
  })

  test('does not cover calls of users, nor invalid credentials', async () => {
    const fixture = await open({ ...LIMITS.api, GLOBAL_API_RATE_LIMIT_DURATION: '600' })
    const user = await fixture.user()
    const token = await fixture.toolkit.accessTokens.create(user)
    expect(await fixture.statuses('/api/status', 6)).toContain(429)
    const headers = (authorization: string) => ({ authorization, 'tollgate-user': String(user.id) })
    for (const authorization of ['Bearer nonsense', 'Bearer tgm_nonsense']) {
      expect(await fixture.statuses('/api/user/self', 2, headers(authorization))).toEqual([429, 429])
    }
    const changed = await fetch(`${fixture.url}/api/user/self`, {
      method: 'PUT',
      headers: { ...headers(`Bearer ${token}`), 'content-type': 'application/json' },
      body: '{"display_name":"Ann"}',
    })
    expect(changed.status).toBe(429)
  })
})
