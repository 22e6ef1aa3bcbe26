import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_TIMEOUT } from '../relay/delivery/reply-head.ts'

/** Maximum size and time of the rest of a rejected body. If the rest exceeds a maximum, the connection is closed. */
const BYTES_MAX = 64 * 1024 * 1024
const LINGER_MS = 30_000

/**
 * Hook for `onSend` that keeps the connection open if a reply is sent before the whole body has arrived. Otherwise, the
 * client's next write would fail, and many clients do not read the reply after a failed write.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export async function keepForUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Fastify sets `connection: close` for a body that it did not read.
  if (discardUnread(raw, reply.statusCode)) reply.removeHeader('connection')
}

/** Discards the unread body of a request, for a reply with this status. Returns whether there is a body to discard. */
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
