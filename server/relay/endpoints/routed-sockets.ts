import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptSockets } from './upgrades.ts'

interface RoutedSocket {
  readonly socket: Socket
  readonly head: Buffer
}

/** The sockets of websocket requests that Fastify's routes handle. */
export interface RoutedSockets {
  of(request: FastifyRequest): RoutedSocket | undefined
  /** Detaches the socket from the HTTP reply, so that it can be upgraded. */
  take(reply: FastifyReply, routed: RoutedSocket): void
}

/**
 * Passes websocket requests to Fastify's routes, so that a rejection is an ordinary HTTP reply. A route upgrades only
 * admitted requests.
 */
export function routeSockets(app: FastifyInstance): RoutedSockets {
  const routedSockets = new WeakMap<IncomingMessage, RoutedSocket>()
  acceptSockets(app.server, (request, stream, head) => {
    const socket = stream as Socket
    routedSockets.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
  return {
    of: ({ raw }) => routedSockets.get(raw),
    take(reply, { socket }) {
      reply.hijack()
      reply.raw.detachSocket(socket)
    },
  }
}
