import type { FastifyPluginAsync } from 'fastify'
import type { ChannelDirectory } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { because } from '../../../core/messages/reasons.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { groupOf, parseBody, queryOf } from '../admission/admission.ts'
import { apiKeyOf, identifyCaller } from '../admission/authenticate.ts'
import { channelsFor } from '../admission/channels-for.ts'
import { relayRoute, relayRouteSchema } from '../described.ts'
import { betaReply, parseBetaSecretRequest, parseSecretRequest, secretReply } from '../endpoints/client-secrets.ts'
import type { RoutedSockets } from '../endpoints/routed-sockets.ts'
import { admitSession, type RealtimeSessions } from '../sessions.ts'

/** The routes for OpenAI's realtime sessions and for their short-lived keys. */
export const realtimePath: FastifyPluginAsync<{
  sessions: RealtimeSessions
  sockets: RoutedSockets
  toolkit: LocalToolkit
  directory: ChannelDirectory
}> = async (app, { sessions, sockets, toolkit, directory }) => {
  app.get('/v1/realtime', relayRoute('A realtime session, over a websocket'), async (request, reply) => {
    const routed = sockets.of(request)
    if (!routed) throw new GatewayError('REQUEST_MALFORMED', because('realtimeNeedsWebsocket'))
    const admitted = await admitSession(request, { toolkit, directory })
    sockets.take(reply, routed)
    await sessions.handle(admitted, request.raw, routed.socket, routed.head)
  })
  for (const [path, { summary, read, reply: write }] of Object.entries(SECRETS)) {
    app.post(path, { schema: relayRouteSchema(summary) }, async (request) => {
      const secretRequest = read(parseBody(request.body as Buffer))
      const caller = await identifyCaller(toolkit, {
        key: apiKeyOf(request.headers, queryOf(request)),
        address: request.ip,
      })
      const { model, session, seconds } = secretRequest
      const group = groupOf(caller, toolkit.options)
      channelsFor(caller, { model, group, operation: 'realtime', directory })
      if (!(await toolkit.pricing.find({ model, group }))) throw new GatewayError('MODEL_PRICE_MISSING', { model })
      const { user, token, pinnedChannelId } = caller
      const key = { userId: user.id, tokenId: token.id, pinnedChannelId, model, session }
      return write(secretRequest, await toolkit.realtimeKeys.create(key, { seconds }))
    })
  }
}

const SECRETS = {
  '/v1/realtime/client_secrets': {
    summary: 'An ephemeral key for a realtime session in a browser',
    read: parseSecretRequest,
    reply: secretReply,
  },
  '/v1/realtime/sessions': {
    summary: 'An ephemeral key for a realtime session in a browser, in the beta format',
    read: parseBetaSecretRequest,
    reply: betaReply,
  },
}
