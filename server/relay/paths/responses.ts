import type { FastifyPluginAsync } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { parseBody } from '../admission/admission.ts'
import type { TokenCounter } from '../count-tokens.ts'
import { relayRoute, relayRouteSchema } from '../described.ts'
import { checkResponses, promptOfResponses } from '../dialects/openai-responses/request.ts'
import type { RoutedSockets } from '../endpoints/routed-sockets.ts'
import { type InnerCalls, passHeaders } from '../inner-calls.ts'
import { compact } from '../responses-store/compact.ts'
import { expandStored } from '../responses-store/continue.ts'
import { ownerOfRequest } from '../responses-store/routes.ts'
import type { ResponsesSockets } from '../responses-store/socket.ts'

const CONFIG = { dialect: 'openai-responses' } as const

/** The routes for clients of the Responses API, except POST /v1/responses and the routes of stored responses. */
export const responsesPaths: FastifyPluginAsync<{
  countTokens: TokenCounter
  toolkit: LocalToolkit
  calls: InnerCalls
  sockets: RoutedSockets
  responsesSockets: ResponsesSockets
}> = async (app, { countTokens, toolkit, calls, sockets, responsesSockets }) => {
  app.post(
    '/v1/responses/input_tokens',
    relayRoute('Counts the tokens of a Responses request, free of charge', CONFIG),
    async (request, reply) => {
      await expandStored(request, toolkit)
      const tokens = await countTokens(request, reply.raw, {
        ...CONFIG,
        check: checkResponses,
        prompt: promptOfResponses,
      })
      return { object: 'response.input_tokens', input_tokens: tokens }
    },
  )
  app.get(
    '/v1/responses',
    { config: CONFIG, schema: relayRouteSchema('Responses, over a websocket') },
    async (request, reply) => {
      const { userId } = await ownerOfRequest(toolkit, request)
      const routed = sockets.of(request)
      if (!routed) {
        // A reply with status 426 must name the protocol: https://www.rfc-editor.org/rfc/rfc9110#section-15.5.22
        reply.headers({ upgrade: 'websocket', connection: 'upgrade' })
        throw new GatewayError('WEBSOCKET_REQUIRED')
      }
      responsesSockets.admit(userId)
      sockets.take(reply, routed)
      responsesSockets.accept(request, { ...routed, userId })
    },
  )
  app.post(
    '/v1/responses/compact',
    relayRoute('A conversation, compacted to a summary', CONFIG),
    async (request, reply) => {
      const compaction = await compact(request, parseBody(request.body as Buffer), calls)
      passHeaders(reply, compaction)
      return reply.code(compaction.status).send(compaction.body)
    },
  )
}
