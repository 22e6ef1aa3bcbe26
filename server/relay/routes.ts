import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyError, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { DialectName } from '../../core/channels/operations.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Limiter } from '../api/limits.ts'
import { allowAnyOrigin } from '../cors.ts'
import { named } from '../named.ts'
import { billingRoutes } from './billing.ts'
import { asRefusal, languageOf } from './body-refusal.ts'
import type { TokenCounter } from './count-tokens.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { refusalError } from './error.ts'
import { lookup } from './json.ts'
import type { Links } from './links.ts'
import { modelRoutes } from './models.ts'
import { anthropicPaths } from './paths/anthropic.ts'
import { geminiPaths } from './paths/gemini.ts'
import { midjourneyPaths } from './paths/midjourney.ts'
import { openAiPaths } from './paths/openai.ts'
import { realtimePath } from './paths/realtime.ts'
import { sunoPaths } from './paths/suno.ts'
import { playgroundRoutes } from './playground.ts'
import type { Relay } from './relay.ts'
import type { Sessions } from './sessions.ts'
import type { RunningSubmissions } from './tasks/running.ts'

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = lookup({
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
})

/** What programs call. Bodies stay bytes: they are parsed once, and mostly sent on as they came. */
export const relayRoutes: FastifyPluginAsync<{
  relay: Relay
  sessions: Sessions
  countTokens: TokenCounter
  submissions: RunningSubmissions
  health: Pick<ChannelHealth, 'begin'>
  links: Links
  logger: Logger
  toolkit: LocalToolkit
  directory: ChannelDirectory
  bodyMax: number
  /** For what is not a relay: billing queries. */
  limiter: Limiter
}> = async (
  app,
  { relay, sessions, countTokens, submissions, health, links, logger, toolkit, directory, bodyMax, limiter },
) => {
  app.removeAllContentTypeParsers()
  // A form is read once its sender is known, and goes to the disk then.
  app.addContentTypeParser(/^multipart\/form-data/, (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const decoder = DECODERS[request.headers['content-encoding'] ?? '']
    if (!decoder) return done(null, payload)
    delete request.headers['content-encoding']
    delete request.headers['content-length']
    const decoded = decoder()
    // Whichever ends first takes the other along; how it failed is told to whoever reads.
    pipeline(payload, decoded, () => {})
    done(null, decoded as unknown as typeof payload)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalError(asRefusal(error, bodyMax), { requestId: request.id, language: languageOf(request) })
    const { body, headers = {} } = DIALECTS[dialectOf(request)].error(refusal)
    const { retryAfterSeconds } = refusal
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    reply
      .code(refusal.status)
      .headers(headers)
      .type('application/json; charset=utf-8')
      // Whatever a route's schema says, a refusal arrives.
      .serializer(JSON.stringify)
      .send(body)
  })
  await app.register(async (byKey) => {
    // The key is the only credential, and it is never a cookie.
    byKey.addHook('onRequest', allowAnyOrigin)
    await byKey.register(named(openAiPaths), { relay, toolkit })
    await byKey.register(named(realtimePath), { sessions, toolkit, directory })
    await byKey.register(named(anthropicPaths), { relay, countTokens })
    await byKey.register(named(geminiPaths), { relay, countTokens })
    await byKey.register(named(modelRoutes), { toolkit, directory })
    await byKey.register(named(billingRoutes), { toolkit, limiter })
    await byKey.register(named(midjourneyPaths), { submissions, bodyMax, health, links, logger, toolkit, directory })
    await byKey.register(named(sunoPaths), { submissions, bodyMax, health, links, logger, toolkit, directory })
  })
  await app.register(named(playgroundRoutes), { relay, toolkit })
}

/** In whose words a route answers, errors included. */
function dialectOf(request: FastifyRequest): DialectName {
  const { dialect } = request.routeOptions.config as { dialect?: DialectName }
  return dialect ?? 'openai-chat'
}
