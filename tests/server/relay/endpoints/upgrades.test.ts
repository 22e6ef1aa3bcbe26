import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { acceptSockets } from '../../../../server/relay/endpoints/upgrades.ts'

/** A server that answers each request with what it was asked, and serves websockets. */
async function open() {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    response.end(JSON.stringify({ method, url, name: headers['x-name'], body: await text(request) }))
  })
  const sockets = new WebSocketServer({ noServer: true })
  acceptSockets(server, (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => client.close(1000)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n'

/** What a server says to these pieces of a connection, until it closes. */
async function exchange(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const answer = text(socket)
  for (const piece of pieces) {
    socket.write(Buffer.from(piece, 'utf8'))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return answer
}

test('a body with an HTTP/2 upgrade offer is read, also if it arrives late', async () => {
  const port = await open()
  const head = `POST /v1/x?a=1 HTTP/1.1\r\nHost: h\r\n${OFFER}X-Name: é\r\nContent-Length: 11\r\n\r\n`
  const last = 'GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
  const answer = await exchange(port, [head, 'hello', ' world', last])
  expect(answer).toContain('"method":"POST","url":"/v1/x?a=1"')
  expect(answer).toContain('"body":"hello world"')
  // The connection goes on as any other.
  expect(answer).toContain('"method":"GET","url":"/next"')
})

test('a body may be chunked', async () => {
  const port = await open()
  const head = `POST / HTTP/1.1\r\nHost: h\r\n${OFFER}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`
  const last = '0\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
  expect(await exchange(port, [head, last])).toContain('"body":"hello"')
})

test('a websocket is accepted', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${await open()}/`)
  const [code] = await once(socket, 'close')
  expect(code).toBe(1000)
})
