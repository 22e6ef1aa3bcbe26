import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptSockets } from './upgrades.ts'

export interface RoutedSocket {
  readonly socket: Socket
  readonly head: Buffer
}

/** Requests for websockets, on their way through the routes. */
export interface RoutedSockets {
  /** The socket that a request asks for; undefined: it asks for none. */
  of(request: FastifyRequest): RoutedSocket | undefined
  /** Takes the socket from the reply: what follows is not HTTP. */
  take(reply: FastifyReply, routed: RoutedSocket): void
}

/**
 * Lets a request for a socket go through the routes like any other, so that a rejection is answered as HTTP; only one that
 * is let in is upgraded.
 */
export function routeSockets(app: FastifyInstance): RoutedSockets {
  const asked = new WeakMap<IncomingMessage, RoutedSocket>()
  acceptSockets(app.server, (request, stream, head) => {
    const socket = stream as Socket
    asked.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
  return {
    of: ({ raw }) => asked.get(raw),
    take(reply, { socket }) {
      reply.hijack()
      reply.raw.detachSocket(socket)
    },
  }
}
