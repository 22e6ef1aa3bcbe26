import type { FastifyError, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import type { DialectName } from '../../core/channels/routing/operations.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { RequestLimiter } from '../api/limits.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import { jsonLimits } from '../bodies/json-scan.ts'
import { decodeBody } from '../bodies/receive.ts'
import { allowAnyOrigin } from '../cors.ts'
import { named } from '../named.ts'
import { relayLanguageOf, toBodyError } from './admission/body-refusal.ts'
import { receiveJson } from './admission/receive-json.ts'
import { identifySenders, senderOf } from './admission/senders.ts'
import type { BatchParts } from './batches/parts.ts'
import { createBatchUpstream } from './batches/upstream.ts'
import { billingRoutes } from './billing.ts'
import type { TokenCounter } from './count-tokens.ts'
import { errorForClient, retryHeaders } from './delivery/error.ts'
import { recordRejected } from './delivery/failed-relay.ts'
import type { FailureLog } from './delivery/failure-log.ts'
import type { Stoppable } from './delivery/grace.ts'
import { guardReply, rejectNavigation } from './delivery/reply-head.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { readPath } from './dialects/gemini/requests.ts'
import { routeSockets } from './endpoints/routed-sockets.ts'
import { UploadSlots } from './endpoints/upload-slots.ts'
import { InnerCalls } from './inner-calls.ts'
import { modelRoutes } from './models.ts'
import { anthropicPaths } from './paths/anthropic.ts'
import { batchPaths } from './paths/batches.ts'
import { filePaths } from './paths/files.ts'
import { geminiPaths } from './paths/gemini.ts'
import { midjourneyPaths } from './paths/midjourney.ts'
import { openAiPaths } from './paths/openai.ts'
import { otherVendorPaths } from './paths/other-vendors.ts'
import { dialectOfUnknown } from './paths/path-dialect.ts'
import { realtimePath } from './paths/realtime.ts'
import { responsesPaths } from './paths/responses.ts'
import { sunoPaths } from './paths/suno.ts'
import { playgroundRoutes } from './playground.ts'
import type { Relays } from './relays.ts'
import { BackgroundResponses } from './responses-store/background.ts'
import { conversationPaths } from './responses-store/conversation-routes.ts'
import { storedResponsePaths } from './responses-store/routes.ts'
import { ResponsesSockets } from './responses-store/socket.ts'
import type { RealtimeSessions } from './sessions.ts'
import type { RunningSubmissions } from './tasks/running.ts'
import type { OutboundClients } from './transport/outbound-clients.ts'

/** Routes for API clients. Bodies stay bytes until the relay parses them, because most are forwarded unchanged. */
export const relayRoutes: FastifyPluginAsync<{
  relays: Relays
  sessions: RealtimeSessions
  countTokens: TokenCounter
  submissions: RunningSubmissions
  health: Pick<ChannelHealth, 'begin'>
  links: OutboundClients
  logger: Logger
  toolkit: LocalToolkit
  directory: ChannelDirectory
  websocketIdleMs: number
  bodyMax: number
  bodyItemsMax: number
  uploadMax: number
  bodies: BodyBudget
  failures: FailureLog
  /** Collects the parts, besides the relays, that must end before the gateway stops. */
  stoppables: Stoppable[]
  /** Limits the rate of billing queries, which are not relays. */
  limiter: RequestLimiter
}> = async (
  app,
  {
    relays,
    sessions,
    countTokens,
    submissions,
    health,
    links,
    logger,
    toolkit,
    directory,
    websocketIdleMs,
    bodyMax,
    bodyItemsMax,
    uploadMax,
    bodies,
    failures,
    limiter,
    stoppables,
  },
) => {
  app.addHook('onRequest', rejectNavigation)
  app.addHook('onSend', guardReply)
  app.removeAllContentTypeParsers()
  // Pass a form on as a stream, because the form is stored on disk only after its sender has been identified.
  app.addContentTypeParser(/^multipart\/form-data/, ({ raw }, payload, done) => done(null, decodeBody(raw) ?? payload))
  const limits = jsonLimits(bodyItemsMax)
  app.decorateRequest('bodyKeys', 0)
  app.decorateRequest('responseKeeper', null)
  app.addContentTypeParser('*', (request, payload, done) => {
    const share = () => bodies.open(senderOf(request))
    receiveJson(payload, { request: request.raw, bytesMax: bodyMax, limits, share }, (error, body, keys) => {
      request.bodyKeys = keys
      done(error, body)
    })
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = errorForClient(toBodyError(error, bodyMax), errorContextOf(request))
    recordRejected(failures, error, { request, refusal, pathModel: modelInUrl(request) })
    const { body, headers = {} } = DIALECTS[dialectOf(request)].error(refusal)
    reply
      .code(refusal.status)
      .headers(retryHeaders(refusal))
      .headers(headers)
      .type('application/json; charset=utf-8')
      // Serialize here, so that an error has all fields even if the route's schema does not list them.
      .serializer(JSON.stringify)
      .send(body)
  })
  const withKey = named(async (byKey: typeof app) => {
    // Any origin is safe here: the only credential is the API key, which is never a cookie.
    byKey.addHook('onRequest', allowAnyOrigin)
    identifySenders(byKey, toolkit)
    const sockets = routeSockets(app)
    const calls = new InnerCalls(byKey)
    const responsesSockets = new ResponsesSockets({
      calls,
      toolkit,
      bodies,
      limits,
      logger,
      bytesMax: bodyMax,
      idleMs: websocketIdleMs,
    })
    stoppables.push(responsesSockets)
    const background = new BackgroundResponses({ toolkit, calls, logger })
    app.addHook('onClose', () => background.waitForAll())
    const storing = { toolkit, directory, logger, calls, background }
    await byKey.register(named(openAiPaths), { relays, toolkit, storing })
    await byKey.register(named(responsesPaths), { countTokens, toolkit, calls, sockets, responsesSockets })
    await byKey.register(named(storedResponsePaths), { toolkit })
    await byKey.register(named(otherVendorPaths), { calls })
    await byKey.register(named(conversationPaths), { toolkit })
    await byKey.register(named(realtimePath), { sessions, sockets, toolkit, directory })
    await byKey.register(named(anthropicPaths), { relays, countTokens })
    const batching: BatchParts = {
      toolkit,
      directory,
      health,
      links,
      upstream: createBatchUpstream(links),
      submissions,
      bodies,
      slots: new UploadSlots(),
      config: { bodyMax, bodyItemsMax, uploadMax },
      logger,
    }
    await byKey.register(named(filePaths), batching)
    await byKey.register(named(batchPaths), batching)
    await byKey.register(named(geminiPaths), { relays, countTokens })
    await byKey.register(named(modelRoutes), { toolkit, directory })
    await byKey.register(named(billingRoutes), { toolkit, limiter })
    await byKey.register(named(midjourneyPaths), { submissions, bodyMax, health, links, logger, toolkit, directory })
    await byKey.register(named(sunoPaths), { submissions, bodyMax, health, links, logger, toolkit, directory })
  })
  await app.register(withKey)
  await app.register(named(playgroundRoutes), { relays, toolkit })
}

function errorContextOf(request: FastifyRequest) {
  return { requestId: request.id, language: relayLanguageOf(request) }
}

/**
 * Returns the format of a route's replies, including errors. If several vendors use the same path, the headers decide.
 */
function dialectOf({ routeOptions, originalUrl, headers }: FastifyRequest): DialectName {
  const { dialect } = routeOptions.config as { dialect?: DialectName }
  return dialect ?? dialectOfUnknown(originalUrl.split('?', 1)[0] as string, headers)
}

/** Returns the model in the path of a request. Needed if the request was rejected before its handler read the path. */
function modelInUrl({ params, url }: Pick<FastifyRequest, 'params' | 'url'>): string | undefined {
  const { model } = params as { model?: string }
  return model ?? readPath(url)?.model
}
