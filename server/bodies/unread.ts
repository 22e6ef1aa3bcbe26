import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_TIMEOUT } from '../relay/delivery/reply-head.ts'

/** Maximum bytes and time for the rest of a rejected body, before its connection is closed. */
const BYTES_MAX = 64 * 1024 * 1024
const LINGER_MS = 30_000

/**
 * An `onSend` hook: delivers a reply that is sent before the request's body has arrived. If the connection closed at once, the
 * client's next write would fail with EPIPE or ECONNRESET, and many clients then never read the reply.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export async function keepForUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Fastify closes the connection after a body that it could not read.
  if (discardUnread(raw, reply.statusCode)) reply.removeHeader('connection')
}

/** The same for a reply with that status that bypasses Fastify. Returns whether there is a body to discard. */
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
  const cut = () => socket.destroy()
  const timer = setTimeout(cut, LINGER_MS).unref()
  request.on('data', () => {
    if (socket.bytesRead - bytesBefore > BYTES_MAX) cut()
  })
  request.once('close', () => clearTimeout(timer))
}
