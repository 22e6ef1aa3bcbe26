import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { customer, openTestGateway } from '../support/gateway.ts'
import { shared } from '../support/lifetime.ts'

/*
 * An attack on memory: bodies that never end, to routes that ask for no key or for a good one.
 */

const fixture = shared(() => openTestGateway())

test.each([
  '/mj/notify',
  '/fast/mj/notify',
  '/mj/submit/imagine',
  '/suno/submit/music',
  '/v1/chat/completions',
  '/v1/audio/transcriptions',
  '/v1/engines/text/embeddings',
  '/v1beta/models/m:generateContent',
])('%s replies without a key before the body has arrived', async (path) => {
  const { hostname, port } = new URL(fixture().url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(head.toString()).toMatch(/^HTTP\/1\.1 4\d\d /)
})

const REJECTED = [
  ['a key that is none', '/v1/chat/completions', 'sk-none', 401],
  ['too many objects', '/v1/chat/completions', undefined, 400],
  ['a body of the management API that is too large', '/api/user/login', undefined, 200],
] as const

test.each(REJECTED)('%s: the reply reaches a client that is still sending', { timeout: 30_000 }, async (...row) => {
  const [, path, key = (await customer(fixture())).key, status] = row
  const body = `{"model":"gpt-4o","tools":[${'{},'.repeat(1_000_000)}{}]}`

  for (let turn = 0; turn < 20; turn++) {
    const { hostname, port } = new URL(fixture().url)
    const socket = connect(Number(port), hostname)
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    let reply = ''
    socket.on('data', (piece) => {
      reply += piece
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    const half = body.length / 2
    socket.write(body.slice(0, half))
    await expect.poll(() => reply, { interval: 5 }).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    // What follows the body on the same connection is served.
    socket.write(`${body.slice(half)}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
    await expect.poll(() => reply, { interval: 5 }).toMatch(/}HTTP\/1.1 200 OK/)
    expect(failures).toEqual([])
    socket.destroy()
  }
})
