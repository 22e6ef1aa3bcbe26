import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const DROPPED = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Hands requests for websockets to `onSocket`. Any other upgrade is an offer that a server may pass over: many clients of
 * Java offer HTTP/2 with each request, and the bodies of those would be lost, since a server that listens for upgrades
 * reads none. They are served as if nothing had been offered.
 */
export function acceptSockets(
  server: Server,
  onSocket: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      // It may break at any time from here on, whoever has it in hand.
      socket.on('error', () => {})
      return onSocket(request, socket, head)
    }
    socket.unshift(Buffer.concat([headOf(request), head]))
    server.emit('connection', socket)
  })
}

/** The beginning of a request as it came, without the offer. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!DROPPED.has(name.toLowerCase())) lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
