import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_TIMEOUT } from '../relay/delivery/reply-head.ts'

/** Maximum size and time for the rest of a rejected body. After that, its connection is closed. */
const BYTES_MAX = 64 * 1024 * 1024
const LINGER_MS = 30_000

/**
 * An `onSend` hook that keeps the connection open if a reply is sent before the whole body has arrived. If it closed at once, the
 * client's next write would fail with EPIPE or ECONNRESET, and many clients then never read the reply.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export async function keepForUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Fastify closes the connection after a body that it could not read.
  if (discardUnread(raw, reply.statusCode)) reply.removeHeader('connection')
}

/** Does the same for a reply that bypasses Fastify; `status` is its status. Returns whether there is a body to discard. */
export function discardUnread(raw: IncomingMessage, status: number): boolean {
  if (status === REQUEST_TIMEOUT || raw.complete || raw.destroyed || !hasBody(raw)) return false
  discardRest(raw)
  return true
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function discardRest(request: IncomingMessage): void {
  const { socket } = request
  const bytesBefore = socket.bytesRead
  const closeConnection = () => socket.destroy()
  const timer = setTimeout(closeConnection, LINGER_MS).unref()
  request.on('data', () => {
    if (socket.bytesRead - bytesBefore > BYTES_MAX) closeConnection()
  })
  request.once('close', () => clearTimeout(timer))
}
