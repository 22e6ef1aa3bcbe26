import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createClient } from '../../cli/remote/client.ts'
import { withRetry } from '../../cli/run/retry.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { VERSION } from '../../core/version.ts'
import { whenDone } from '../support/lifetime.ts'
import { commandsIn, createFolder, environmentIn } from './support.ts'

const RATE_LIMITED = encodeURIComponent(
  JSON.stringify({ code: 'RATE_LIMITED', kind: 'rate_limited', params: { retryAfterSeconds: 7 } }),
)

/** Starts a gateway that rejects the first calls with 429. Later calls return the number of calls. */
async function startRateLimited(rejections: number) {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    const isRejected = calls <= rejections
    response.writeHead(isRejected ? 429 : 200, {
      'content-type': 'application/json',
      'tollgate-version': VERSION,
      ...(isRejected && { 'tollgate-error': RATE_LIMITED }),
    })
    response.end(JSON.stringify({ success: !isRejected, message: '', data: calls }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls }
}

test('a rate-limited call waits for the announced time, and is retried', async () => {
  const { url } = await startRateLimited(2)
  const waitForRetry = vi.fn(async () => true)
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, waitForRetry })

  expect(await client.ask('POST /api/redemption/')).toMatchObject({ data: 3 })
  expect(waitForRetry.mock.calls).toEqual([
    [7, undefined],
    [7, undefined],
  ])
})

test.each([
  [429, 'BODIES_LIMITED', { max: 64, seconds: 1 }, 1],
  [503, 'BODIES_FULL', { max: 64, seconds: 2 }, 2],
  // The gateway omits the parameters if they do not fit in the header.
  [429, 'BODIES_LIMITED', undefined, 30],
])('a write whose body was rejected (%i, %s, %o) is sent again after %i s', async (status, code, params, wait) => {
  const error = encodeURIComponent(JSON.stringify({ code, kind: 'rate_limited', params }))
  const { url, calls } = await startWithProxyReplies([
    (response) => void response.writeHead(status, { 'tollgate-version': VERSION, 'tollgate-error': error }).end(),
  ])
  const waitForRetry = vi.fn(async () => true)
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, version: VERSION, waitForRetry })

  expect(await client.ask('POST /api/redemption/', { body: {} })).toMatchObject({ data: 2 })
  expect(waitForRetry.mock.calls).toEqual([[wait, undefined]])
  expect(calls).toHaveLength(2)
})

test('a write during which the database failed is not sent again, because it may have been executed', async () => {
  const error = { code: 'DATABASE_UNAVAILABLE', kind: 'unavailable', params: { seconds: 1 } }
  const headers = { 'tollgate-version': VERSION, 'tollgate-error': encodeURIComponent(JSON.stringify(error)) }
  const { url, calls } = await startWithProxyReplies([(response) => void response.writeHead(503, headers).end()])
  const waitForRetry = vi.fn(async () => true)
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, version: VERSION, waitForRetry })

  await expect(client.ask('POST /api/redemption/')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(calls).toHaveLength(1)
})

test.each([
  ['without waitForRetry', undefined],
  ['if waitForRetry returns false', async () => false],
])('%s, a rate-limited call fails immediately', async (_, waitForRetry) => {
  const { url, calls } = await startRateLimited(1)
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, waitForRetry })

  await expect(client.ask('GET /api/user/self')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(calls()).toBe(1)
})

test('a command fails if a retry delay or a reply would exceed --timeout, and rejects an invalid --timeout', async () => {
  const { url, calls } = await startRateLimited(100)
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: 'token' }
  const { run } = commandsIn({ env, folder })
  const startedAt = Date.now()
  const rateLimited = await run(['token', 'list', '--timeout', '3'])
  expect(rateLimited).toMatchObject({ exitCode: 1, stdout: '' })
  expect(Date.now() - startedAt).toBeLessThan(5000)
  expect(calls()).toBe(1)

  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  whenDone(() => void silent.closeAllConnections())
  whenDone(() => void silent.close())
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const timedOut = await run(['token', 'list', '--timeout', '1s'], { env: { ...env, TOLLGATE_SERVER: address } })
  expect(timedOut).toMatchObject({ exitCode: 1, stdout: '' })
  expect((await run(['token', 'list', '--timeout', 'soon'])).exitCode).toBe(2)
})

/** Starts a gateway. Each function in `proxyReplies` replies to one call, like a proxy in front; later calls succeed. */
async function startWithProxyReplies(proxyReplies: ((response: ServerResponse) => void)[]) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const sendReply = proxyReplies.shift()
    if (sendReply) return sendReply(response)
    response.writeHead(200, { 'content-type': 'application/json', 'tollgate-version': VERSION })
    response.end(JSON.stringify({ success: true, message: '', data: calls.length }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

const rateLimitReply = (retryAfter?: string) => (response: ServerResponse) => {
  response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('slow down')
}

test('after a 429 of a proxy, the client waits for Retry-After (seconds or a date), or for 30 seconds without it', async () => {
  const date = new Date(Date.now() + 120_000).toUTCString()
  const { url, calls } = await startWithProxyReplies([rateLimitReply('2'), rateLimitReply(date), rateLimitReply()])
  const waits: number[] = []
  const waitForRetry = async (seconds: number) => waits.push(seconds) > 0
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, waitForRetry })

  expect(await client.ask('GET /api/user/self')).toMatchObject({ data: 4 })

  expect(waits).toEqual([2, expect.closeTo(120, -1), 30])
  expect(calls).toHaveLength(4)
})

test('with --no-wait, withRetry throws at the first 429; without it, withRetry retries', async () => {
  const texts = ENGLISH
  const { url } = await startWithProxyReplies([rateLimitReply('1')])
  const client = createClient({ url, token: 'token', userId: 1 }, { texts, env: {}, version: VERSION })
  const note = vi.fn()
  const context = { note, t: ENGLISH.t, noWait: true }
  const call = () => client.ask('POST /api/redemption/')

  await expect(withRetry(context, { repeatable: true }, call)).rejects.toMatchObject({
    code: 'SERVER_BUSY',
    message: `${url} received too many calls from this machine: try again in 1 s`,
  })
  expect(note).not.toHaveBeenCalled()
  expect(await withRetry({ ...context, noWait: false }, { repeatable: true }, call)).toMatchObject({ data: 2 })
})

test('a GET is retried after a disconnect or a 502 of a proxy; a POST is not', async () => {
  const disconnect = (response: ServerResponse) => void response.destroy()
  const badGateway = (response: ServerResponse) => void response.writeHead(502).end('bad gateway')
  const { url, calls } = await startWithProxyReplies([disconnect, badGateway])
  const client = createClient({ url, token: 'token' }, { texts: ENGLISH, env: {}, version: VERSION })
  expect(await client.ask('GET /api/user/self')).toMatchObject({ data: 3 })

  const secondGateway = await startWithProxyReplies([disconnect])
  const postClient = createClient(
    { url: secondGateway.url, token: 'token' },
    { texts: ENGLISH, env: {}, version: VERSION },
  )
  await expect(postClient.ask('POST /api/token/')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
  expect([calls.length, secondGateway.calls]).toEqual([3, ['POST /api/token/']])
})
