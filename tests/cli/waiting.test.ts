import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createClient } from '../../cli/remote/client.ts'
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
