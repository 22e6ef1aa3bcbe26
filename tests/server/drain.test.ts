import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { drain } from '../../server/drain.ts'
import { whenDone } from '../support/lifetime.ts'

async function listening() {
  const server = createServer((_request, response) => response.end('stopping'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => void server.closeAllConnections())
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('an idle server still accepts connections for a while, so that probes read its state', async () => {
  const { server, url } = await listening()
  const drained = drain(server, 10_000)
  await sleep(200)

  const reply = await fetch(url)
  expect(await reply.text()).toBe('stopping')
  expect(reply.headers.get('connection')).toBe('close')
  await drained
  await expect(fetch(url)).rejects.toThrow()
})

test('a server without grace time closes its port at once', async () => {
  const { server, url } = await listening()
  await drain(server, 0)
  await expect(fetch(url)).rejects.toThrow()
})
