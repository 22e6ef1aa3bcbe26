import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** What Node rejects before there is a request: the status and a text that says what to do. */
const REJECTIONS: Record<string, [status: number, code: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time: send it again'],
  HPE_HEADER_OVERFLOW: [
    431,
    'headers_too_large',
    'The headers of the request are too large: send fewer or shorter ones',
  ],
}
const MALFORMED = [400, 'request_malformed', 'The request is not valid HTTP/1.1'] as const

interface ServedSocket extends Socket {
  /** The reply that Node is writing. It must not be broken by another one. */
  _httpMessage?: { headersSent: boolean }
}

/** Answers a request that never became one, and closes its connection. */
export function rejectConnection(error: Error & { code?: string }, socket: ServedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const [status, code, message] = REJECTIONS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // A client that does not read must not keep the connection.
  socket.setTimeout(1000, () => socket.destroy())
}
