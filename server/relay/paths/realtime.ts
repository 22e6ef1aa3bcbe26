import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import type { ChannelDirectory } from '../../../core/channels/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { described } from '../described.ts'
import { acceptSockets } from '../endpoints/upgrades.ts'
import { admitSession, type Sessions } from '../sessions.ts'

/**
 * OpenAI's realtime sessions. A request for a socket goes through the routes like any other, so that whatever refuses it
 * answers it as HTTP does; only one that is let in is upgraded.
 */
export const realtimePath: FastifyPluginAsync<{
  sessions: Sessions
  toolkit: LocalToolkit
  directory: ChannelDirectory
}> = async (app, { sessions, toolkit, directory }) => {
  const asked = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>()
  acceptSockets(app.server, (request, stream, head) => {
    const socket = stream as Socket
    asked.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
  app.get('/v1/realtime', { schema: described('A realtime session, over a websocket') }, async (request, reply) => {
    const sockets = asked.get(request.raw)
    if (!sockets) throw new GatewayError('REQUEST_MALFORMED', { reason: 'a realtime session is a websocket' })
    const admitted = await admitSession(request, { toolkit, directory })
    reply.hijack()
    reply.raw.detachSocket(sockets.socket)
    await sessions.handle(admitted, request.raw, sockets.socket, sockets.head)
  })
}
