import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createClient } from '../../cli/remote/client.ts'
import { withRetry } from '../../cli/run/retry.ts'
import { createTexts } from '../../cli/texts.ts'
import { VERSION } from '../../core/version.ts'
import { whenDone } from '../support/lifetime.ts'
import { commandsIn, createFolder, environmentIn } from './support.ts'

const RATE_LIMITED = encodeURIComponent(
  JSON.stringify({ code: 'RATE_LIMITED', kind: 'rate_limited', params: { retryAfterSeconds: 7 } }),
)

/** A gateway that counts out the first calls. */
async function startCounting(refusals: number) {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    const isCounted = calls <= refusals
    response.writeHead(isCounted ? 429 : 200, {
      'content-type': 'application/json',
      'tollgate-version': VERSION,
      ...(isCounted && { 'tollgate-error': RATE_LIMITED }),
    })
    response.end(JSON.stringify({ success: !isCounted, message: '', data: calls }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls }
}

test('a rate-limited call waits for the announced time, and is retried', async () => {
  const { url } = await startCounting(2)
  const waitTurn = vi.fn(async () => true)
  const client = createClient({ url, token: 'token' }, { texts: createTexts('en', {}), env: {}, waitTurn })

  expect(await client.call('POST', '/api/redemption/')).toBe(3)
  expect(waitTurn.mock.calls).toEqual([
    [7, undefined],
    [7, undefined],
  ])
})

test.each([
  ['without a patience', undefined],
  ['when it would take too long', async () => false],
])('%s it fails immediately', async (_, waitTurn) => {
  const { url, calls } = await startCounting(1)
  const client = createClient({ url, token: 'token' }, { texts: createTexts('en', {}), env: {}, waitTurn })

  await expect(client.call('GET', '/api/user/self')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(calls()).toBe(1)
})

test('a command waits no longer than --timeout, for a retry and for a reply', async () => {
  const { url, calls } = await startCounting(100)
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: 'token' }
  const { run } = commandsIn({ env, folder })
  const startedAt = Date.now()
  const refused = await run(['token', 'list', '--timeout', '3'])
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(Date.now() - startedAt).toBeLessThan(5000)
  expect(calls()).toBe(1)

  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  whenDone(() => void silent.closeAllConnections())
  whenDone(() => void silent.close())
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const late = await run(['token', 'list', '--timeout', '1s'], { env: { ...env, TOLLGATE_SERVER: address } })
  expect(late).toMatchObject({ exitCode: 1, stdout: '' })
  expect((await run(['token', 'list', '--timeout', 'soon'])).exitCode).toBe(2)
})

/** A gateway whose first replies are sent by `first`, as by a proxy in front of it. */
async function startBehindProxy(first: ((response: ServerResponse) => void)[]) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const answer = first.shift()
    if (answer) return answer(response)
    response.writeHead(200, { 'content-type': 'application/json', 'tollgate-version': VERSION })
    response.end(JSON.stringify({ success: true, message: '', data: calls.length }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

const busy = (retryAfter?: string) => (response: ServerResponse) => {
  response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('slow down')
}

test('a 429 of a proxy waits as its Retry-After says, in seconds or as a date, else for 30 seconds', async () => {
  const date = new Date(Date.now() + 120_000).toUTCString()
  const { url, calls } = await startBehindProxy([busy('2'), busy(date), busy()])
  const waits: number[] = []
  const waitTurn = async (seconds: number) => waits.push(seconds) > 0
  const client = createClient({ url, token: 'token' }, { texts: createTexts('en', {}), env: {}, waitTurn })

  expect(await client.call('GET', '/api/user/self')).toBe(4)

  expect(waits).toEqual([2, expect.closeTo(120, -1), 30])
  expect(calls).toHaveLength(4)
})

test('--no-wait fails at the first 429, also in the middle of a batch of codes', async () => {
  const texts = createTexts('en', {})
  const { url } = await startBehindProxy([busy('1')])
  const client = createClient({ url, token: 'token', userId: 1 }, { texts, env: {}, version: VERSION })
  const note = vi.fn()
  const context = { note, say: texts.say, noWait: true }
  const call = () => client.call('POST', '/api/redemption/')

  await expect(withRetry(context, { repeatable: true }, call)).rejects.toMatchObject({
    code: 'SERVER_BUSY',
    message: `${url} received too many calls from this machine: try again in 1 s`,
  })
  expect(note).not.toHaveBeenCalled()
  expect(await withRetry({ ...context, noWait: false }, { repeatable: true }, call)).toBe(2)
})

test('a read whose connection is cut, or that a proxy could not pass on, is repeated; a write is not', async () => {
  const cut = (response: ServerResponse) => void response.destroy()
  const badGateway = (response: ServerResponse) => void response.writeHead(502).end('bad gateway')
  const { url, calls } = await startBehindProxy([cut, badGateway])
  const client = createClient({ url, token: 'token' }, { texts: createTexts('en', {}), env: {}, version: VERSION })
  expect(await client.call('GET', '/api/user/self')).toBe(3)

  const other = await startBehindProxy([cut])
  const writer = createClient(
    { url: other.url, token: 'token' },
    { texts: createTexts('en', {}), env: {}, version: VERSION },
  )
  await expect(writer.call('POST', '/api/token/')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
  expect([calls.length, other.calls]).toEqual([3, ['POST /api/token/']])
})
