import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { RelayError } from '../relay/dialects/dialect.ts'
import { DIALECTS } from '../relay/dialects/dialects.ts'
import { servingUrl } from '../relay/paths/aliases.ts'
import { facadeErrorOf } from '../relay/paths/other-vendors.ts'
import { dialectOfPath, dialectOfUnknown } from '../relay/paths/path-dialect.ts'

/** Replies to requests that Node.js rejects before it creates a request object. */
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
  /** The reply that Node.js is writing, if any. A second reply would corrupt this reply. */
  _httpMessage?: { headersSent: boolean }
}

/** Replies to a request that Node.js rejected, and closes the connection. */
export function rejectConnection(error: Error & { code?: string; rawPacket?: unknown }, socket: ServedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const [status, code, message] = REJECTIONS[error.code ?? ''] ?? MALFORMED
  const requestId = ''
  const refusal: RelayError = { status, message, type: 'invalid_request_error', param: null, code, requestId }
  const body = JSON.stringify(bodyFor(error.rawPacket, refusal))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Close the connection even if the client does not read the reply.
  socket.setTimeout(1000, () => socket.destroy())
}

/** Maximum number of bytes of a rejected packet to inspect. */
const PACKET_BYTES_MAX = 16 * 1024

/**
 * Returns the body of the error reply, in the format of the client's API. The packet may lack the request line or the
 * headers.
 */
function bodyFor(packet: unknown, refusal: RelayError): unknown {
  const text = packet instanceof Buffer ? packet.toString('latin1', 0, PACKET_BYTES_MAX) : ''
  const [, method, target = ''] = /^([A-Z]+) ([^ ?\r\n]*)/.exec(text) ?? []
  const path = servingUrl({ url: target, method, headers: {} })
  const facadeError = facadeErrorOf(path)
  if (facadeError) return facadeError(refusal.status, refusal.message)
  const has = (name: string) => new RegExp(`\\n${name}:`, 'i').test(text)
  // The requested path may have a vendor's prefix, so it identifies the API better than `path`.
  const dialect =
    dialectOfPath(target) ??
    dialectOfUnknown(path, {
      ...(has('anthropic-version') && { 'anthropic-version': '' }),
      ...(has('x-goog-api-key') && { 'x-goog-api-key': '' }),
    })
  return DIALECTS[dialect].error(refusal).body
}
