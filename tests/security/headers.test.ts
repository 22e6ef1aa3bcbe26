import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { MODEL, openTestGateway, openTestRelay } from '../support/gateway.ts'
import { shared } from '../support/lifetime.ts'
import { type RawAnswer, rawRequest } from '../support/raw-request.ts'

const fixture = shared(() =>
  openTestGateway({ settings: { TRUST_PROXY: 'true', TURNSTILE_URL: 'https://check.example/api' } }),
)
const changed = new Set<string>()
const set = async (key: string, value: string) => {
  changed.add(key)
  await fixture().toolkit.options.set(fixture().root, key, value)
}
afterEach(async () => {
  const values: Record<string, string> = { TurnstileCheckEnabled: 'false', TelegramOAuthEnabled: 'false' }
  for (const key of [...changed].reverse()) await set(key, values[key] ?? '')
  changed.clear()
})

/** As a browser asks for a page. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(fixture().url + path, { headers: { accept: 'text/html', ...headers } })
const policyOf = ({ headers }: RawAnswer) =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
  )

describe('the console', () => {
  test('sends forms only to itself, and needs no device features', async () => {
    const answer = await ask('/')
    expect(policyOf(answer).get('form-action')).toEqual(["'self'"])
    expect(answer.headers['permissions-policy']).toMatch(/camera=\(\), .*geolocation=\(\), .*microphone=\(\), /)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('runs external scripts only while the feature that needs them is on', async () => {
    const scripts = async () => policyOf(await ask('/login')).get('script-src')
    expect(await scripts()).toEqual(["'self'"])
    await set('TelegramOAuthEnabled', 'true')
    expect(await scripts()).toEqual(["'self'", 'https://telegram.org'])
    await set('TelegramOAuthEnabled', 'false')
    await set('TurnstileSiteKey', 'site')
    await set('TurnstileSecretKey', 'secret')
    await set('TurnstileCheckEnabled', 'true')
    expect(await scripts()).toEqual(["'self'", 'https://check.example'])
    await set('TurnstileCheckEnabled', 'false')
    expect(await scripts()).toEqual(["'self'"])
  })

  test('loads pictures from itself, and from hosts set by the operator', async () => {
    const pictures = async () => policyOf(await ask('/')).get('img-src')
    const sources = ["'self'", 'data:', 'blob:']
    expect(await pictures()).toEqual(sources)
    await set('Logo', 'https://cdn.example/logo.png')
    await set('Notice', '![a](http://pictures.example:8080/a.png) <img src="https://cdn.example/b.png">')
    expect(await pictures()).toEqual([...sources, 'https://cdn.example', 'http://pictures.example:8080'])
  })

  test("gets no directive from an operator's text", async () => {
    await set(
      'Notice',
      "https://a.example; script-src * https://b.example,https://c'.example https://*.d.example https://*",
    )
    const policy = policyOf(await ask('/'))
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('img-src')?.join(' ')).toMatch(/^'self' data: blob:( https:\/\/[a-z.]+)*$/)
    expect(policy.get('img-src')?.join(' ')).not.toContain('*')
  })

  test('posts the payment form if payments are configured', async () => {
    const targets = async () => policyOf(await ask('/')).get('form-action')
    await set('PayAddress', 'https://pay.example/epay')
    expect(await targets()).toEqual(["'self'"])
    await set('EpayId', '1000')
    await set('EpayKey', 'secret')
    expect(await targets()).toEqual(["'self'", 'https:'])
  })
})

describe('HSTS', () => {
  test.each(['/', '/api/status', '/v1/models', '/docs/api/'])('is sent only behind TLS: %s', async (path) => {
    const secure = await ask(path, { 'x-forwarded-proto': 'https' })
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await ask(path)).headers['strict-transport-security']).toBeUndefined()
  })
})

describe('HSTS of the relay, whose replies bypass Fastify', () => {
  const relay = shared(() =>
    openTestRelay(
      ({ response, body }) => {
        if (JSON.stringify(body.messages).includes('fail')) {
          response.writeHead(400, { 'content-type': 'application/json' })
          return response.end('{"error":{"message":"no"}}')
        }
        response.writeHead(200, { 'content-type': body.stream ? 'text/event-stream' : 'application/json' })
        response.end(
          body.stream
            ? 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
            : '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
        )
      },
      { settings: { TRUST_PROXY: 'true' } },
    ),
  )
  const HSTS = 'strict-transport-security'

  test.each<[title: string, status: number, body: object, headers: Record<string, string>]>([
    ['a whole reply', 200, {}, {}],
    ['a stream', 200, { stream: true }, {}],
    ['an error of the upstream', 400, { messages: [{ role: 'user', content: 'fail' }] }, {}],
    ['a rejection', 404, { model: 'none' }, {}],
    ['a reply for a page', 200, {}, { origin: 'https://app.example' }],
    ['a reply that is kept', 200, {}, { 'idempotency-key': 'once' }],
    ['the same once more', 200, {}, { 'idempotency-key': 'once' }],
  ])('is sent only behind TLS: %s', async (_, status, body, headers) => {
    const request = { model: MODEL, messages: [{ role: 'user', content: 'x' }], ...body }
    const secure = await relay().chat(request, { headers: { ...headers, 'x-forwarded-proto': 'https' } })
    const plain = await relay().chat(request, { headers })
    expect([secure.status, plain.status]).toEqual([status, status])
    expect([secure.headers.get(HSTS), plain.headers.get(HSTS)]).toEqual(['max-age=31536000', null])
    expect(secure.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'))
  })

  test("is not sent on a client's claim, if no proxy is trusted", async () => {
    const direct = await openTestRelay(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}')
    })
    const request = { model: MODEL, messages: [{ role: 'user', content: 'x' }] }
    const answer = await direct.chat(request, { headers: { 'x-forwarded-proto': 'https' } })
    expect([answer.status, answer.headers.get(HSTS)]).toEqual([200, null])
  })
})

describe('replies of the management API', () => {
  test.each(['/api/status', '/api/user/self', '/api/nothing', '/%61pi/status', '/api/openapi.json', '/api/pricing'])(
    'are not cached, and their type is not guessed: %s',
    async (path) => {
      const { headers } = await ask(path)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    },
  )

  test('errors too', async () => {
    const { root } = fixture()
    const session = await fixture().toolkit.sessions.create(root.id)
    const headers = { cookie: `session=${session}`, 'tollgate-user': String(root.id), 'sec-fetch-site': 'cross-site' }
    const answer = await ask('/api/user/token', headers)
    expect(answer).toMatchObject({
      status: 403,
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
  })
})

test.each(['/v1/models', '/dashboard/billing/usage', '/mj/task/x/fetch', '/suno/fetch/x'])(
  'replies readable with a key are not cached: %s',
  async (path) => {
    expect((await ask(path)).headers).toMatchObject({ 'cache-control': 'no-store' })
  },
)

test('dependencies can be audited', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(scripts.audit).toContain('npm audit')
})
