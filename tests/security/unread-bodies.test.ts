import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openTestGateway } from '../support/gateway.ts'
import { shared } from '../support/lifetime.ts'

/*
 * An attack on memory: bodies that never end, to routes that ask for no key or for a good one.
 */

const world = shared(() => openTestGateway())

test.each([
  '/mj/notify',
  '/fast/mj/notify',
  '/mj/submit/imagine',
  '/suno/submit/music',
  '/v1/chat/completions',
  '/v1/audio/transcriptions',
  '/v1/engines/text/embeddings',
  '/v1beta/models/m:generateContent',
])('%s answers without a key before the body has arrived', async (path) => {
  const { hostname, port } = new URL(world().url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(head.toString()).toMatch(/^HTTP\/1\.1 4\d\d /)
})
