import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { PASSWORD } from '../../support/toolkit.ts'

/** A mock of Turnstile that accepts only the response `human`. */
async function startSiteVerify(answer?: string) {
  const requests: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()))
    requests.push({ path: `${request.method} ${request.url}`, ...form })
    response.end(answer ?? JSON.stringify({ success: form.response === 'human' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, requests }
}

async function open(answer?: string) {
  const cloudflare = await startSiteVerify(answer)
  const fixture = await openTestGateway({ settings: { TURNSTILE_URL: cloudflare.url } })
  const options = { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' }
  for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)
  return { ...fixture, cloudflare, visitor: openApi(fixture).anonymous() }
}

const ROUTES = [
  ['post', '/api/user/register'],
  ['post', '/api/user/login'],
  ['get', '/api/verification'],
  ['get', '/api/reset_password'],
] as const

describe('the bot check', () => {
  test.each(ROUTES)('is required by %s %s', async (method, path) => {
    const { visitor, cloudflare } = await open()

    for (const query of ['', '?turnstile=']) {
      const { status, body } = await visitor[method](path + query, method === 'post' ? {} : undefined)
      expect({ status, body }).toEqual({ status: 200, body: { success: false, message: 'Turnstile token 为空' } })
    }
    const { body } = await visitor[method](`${path}?turnstile=robot`, method === 'post' ? {} : undefined)

    expect(body).toEqual({ success: false, message: 'Turnstile 校验失败，请刷新重试！' })
    expect(cloudflare.requests).toEqual([
      { path: 'POST /turnstile/v0/siteverify', secret: 'secret', response: 'robot', remoteip: '127.0.0.1' },
    ])
    expect(visitor.cookie()).toBe('')
  })

  test('is not required again after it passed, also after signing in', async () => {
    const { visitor, cloudflare, toolkit } = await open()

    const wrong = await visitor.post('/api/user/login?turnstile=human', { username: 'root', password: 'wrong one' })
    expect(wrong.body.message).toBe('用户名或密码错误，或用户已被封禁')
    const anonymous = visitor.cookie()
    const right = await visitor.post('/api/user/login', { username: 'root', password: PASSWORD })
    expect(right.body.success).toBe(true)
    const again = await visitor.post('/api/user/login', { username: 'root', password: PASSWORD })

    expect(again.body.success).toBe(true)
    expect(visitor.cookie()).not.toBe(anonymous)
    expect(cloudflare.requests).toHaveLength(1)
    expect(await toolkit.sessions.find(anonymous.split('=')[1] ?? '')).toBeUndefined()
  })

  test('and the login in one request leave one session with the result', async () => {
    const { visitor, toolkit, root } = await open()

    const { headers } = await visitor.post('/api/user/login?turnstile=human', { username: 'root', password: PASSWORD })

    expect(headers.getSetCookie().filter((line) => line.startsWith('session='))).toHaveLength(1)
    const session = visitor.cookie().split('=')[1] ?? ''
    expect(await toolkit.sessions.find(session)).toMatchObject({ id: root.id })
    expect(await toolkit.sessions.data(session)).toEqual({ turnstile: true })
    expect(await toolkit.db.reader('sessions')).toHaveLength(1)
  })

  test.each(['not json', '[]', 'null', '{"success":"true"}'])('is not passed by the reply %j', async (answer) => {
    const { visitor } = await open(answer)
    const { body } = await visitor.get('/api/verification?turnstile=human')
    expect(body.message).toBe('Turnstile 校验失败，请刷新重试！')
  })

  test('rejects if the Turnstile service is unreachable, with the reason', async () => {
    const fixture = await openTestGateway({ settings: { TURNSTILE_URL: 'http://127.0.0.1:9' } })
    const options = { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' }
    for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)

    const { body } = await openApi(fixture).anonymous().get('/api/verification?turnstile=human')

    expect(body).toEqual({ success: false, message: '无法连接至 Turnstile 服务器，请稍后重试！' })
  })

  test('is not required while it is disabled, nor by other routes', async () => {
    const { visitor, cloudflare, toolkit, root } = await open()
    expect((await visitor.post('/api/user/reset', {})).body.message).toMatch(/email/)
    await toolkit.options.set(root, 'TurnstileCheckEnabled', 'false')
    expect((await visitor.get('/api/verification')).body.message).toMatch(/邮箱/)
    expect(cloudflare.requests).toEqual([])
  })
})
