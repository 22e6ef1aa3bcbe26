import type { FastifyPluginAsync } from 'fastify'
import type { ChannelDirectory } from '../../../core/channels/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { described } from '../described.ts'
import type { RoutedSockets } from '../endpoints/routed-sockets.ts'
import { admitSession, type Sessions } from '../sessions.ts'

/** OpenAI's realtime sessions. */
export const realtimePath: FastifyPluginAsync<{
  sessions: Sessions
  sockets: RoutedSockets
  toolkit: LocalToolkit
  directory: ChannelDirectory
}> = async (app, { sessions, sockets, toolkit, directory }) => {
  app.get('/v1/realtime', { schema: described('A realtime session, over a websocket') }, async (request, reply) => {
    const routed = sockets.of(request)
    if (!routed) throw new GatewayError('REQUEST_MALFORMED', { reason: 'a realtime session is a websocket' })
    const admitted = await admitSession(request, { toolkit, directory })
    sockets.take(reply, routed)
    await sessions.handle(admitted, request.raw, routed.socket, routed.head)
  })
}
