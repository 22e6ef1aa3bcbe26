import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptSockets } from './upgrades.ts'

export interface RoutedSocket {
  readonly socket: Socket
  readonly head: Buffer
}

/** Websocket requests that pass through the routes. */
export interface RoutedSockets {
  /** Returns the socket of a websocket request; undefined for other requests. */
  of(request: FastifyRequest): RoutedSocket | undefined
  /** Detaches the socket from the reply, because HTTP ends here. */
  take(reply: FastifyReply, routed: RoutedSocket): void
}

/** Passes websocket requests through the routes, so that rejections are HTTP replies; only an admitted request is upgraded. */
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
