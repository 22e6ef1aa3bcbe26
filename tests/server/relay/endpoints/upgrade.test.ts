import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { refuseUpgrade } from '../../../../server/relay/endpoints/upgrade.ts'

test('a request for a socket is refused with an error of HTTP', async () => {
  const server = createServer()
  const error = { type: 'gateway_error', param: null, code: 'invalid_api_key', requestId: 'request-1' }
  server.on('upgrade', (_, socket) => refuseUpgrade(socket, { ...error, status: 401, message: 'Invalid API key ✗' }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const answer = await new Promise<{ status: number | undefined; id: unknown; body: string }>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    socket.on('error', () => {})
    socket.on('unexpected-response', async (_, response) => {
      let body = ''
      for await (const part of response) body += part
      resolve({ status: response.statusCode, id: response.headers['x-oneapi-request-id'], body })
    })
  })

  expect(answer).toMatchObject({ status: 401, id: 'request-1' })
  expect(JSON.parse(answer.body)).toEqual({
    error: { message: 'Invalid API key ✗', type: 'gateway_error', param: null, code: 'invalid_api_key' },
  })
  await new Promise((resolve) => server.close(resolve))
})
