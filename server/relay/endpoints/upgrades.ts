import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Headers to remove from a request that is served without an upgrade. */
const UPGRADE_HEADERS = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Passes websocket requests to `onSocket`. Serves all other upgrade requests without an upgrade. Many Java clients
 * offer HTTP/2 with each request. Node.js would not read their bodies, because the server has an upgrade listener.
 */
export function acceptSockets(
  server: Server,
  onSocket: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      // Without this listener, a later error of the socket would end the process.
      socket.on('error', () => {})
      return onSocket(request, socket, head)
    }
    socket.unshift(Buffer.concat([headOf(request), head]))
    server.emit('connection', socket)
  })
}

/** Rebuilds the head of a request without its upgrade headers. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
