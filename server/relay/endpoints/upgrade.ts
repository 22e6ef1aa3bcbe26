import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RelayError } from '../dialects/dialect.ts'
import { REQUEST_ID_HEADER } from '../error.ts'

/** Answers a request for a socket with an error of HTTP, as OpenAI words it: nothing was upgraded yet. */
export function refuseUpgrade(socket: Duplex, { status, message, type, param, code, requestId }: RelayError): void {
  const body = JSON.stringify({ error: { message, type, param, code } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  // The peer may be gone already; then nobody needs the answer.
  socket.on('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
