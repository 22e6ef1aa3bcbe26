import { once } from 'node:events'
import { createServer } from 'node:net'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Config } from '../core/config.ts'
import { GatewayError } from '../core/errors.ts'
import { randomHex } from '../core/secrets.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { createLimiters } from './api/limits.ts'
import { browseRoutes, describeRoutes } from './api/openapi.ts'
import { apiRoutes } from './api/routes.ts'
import { nameVersion } from './api/version-header.ts'
import { BodyBudget } from './bodies/budget.ts'
import { rejectConnection } from './bodies/connection.ts'
import { keepForUnreadBody } from './bodies/unread.ts'
import { compileLazily } from './compile.ts'
import { consoleRoutes, isApiPath } from './console.ts'
import { drain } from './drain.ts'
import { keepRequestsYoung } from './garbage-collection.ts'
import { named } from './named.ts'
import { preload } from './preload.ts'
import { readinessChecks } from './probes/checks.ts'
import { createReadiness } from './probes/readiness.ts'
import { probeRoutes } from './probes/routes.ts'
import { createTokenCounter } from './relay/count-tokens.ts'
import { createTokenizer, type Tokenizer } from './relay/counting/tokenizer.ts'
import { FailureLog } from './relay/delivery/failure-log.ts'
import { finishWithin, type Stoppable } from './relay/delivery/grace.ts'
import { CLOSING, REQUEST_ID_HEADER, REQUEST_TIMEOUT } from './relay/delivery/reply-head.ts'
import { removeLeftoverUploads } from './relay/endpoints/leftover-uploads.ts'
import { serveRelaysFirst } from './relay/listener.ts'
import { asksForPage, servingUrl } from './relay/paths/aliases.ts'
import { createRelays } from './relay/relays.ts'
import { relayRoutes } from './relay/routes.ts'
import { createSessions } from './relay/sessions.ts'
import { createRunningSubmissions } from './relay/tasks/running.ts'
import { createLinks } from './relay/transport/links.ts'
import { noteTls, secureReply } from './security-headers.ts'
import { invalidUrl, unknownPath } from './unknown-path.ts'
import { openUpkeep } from './upkeep.ts'

/** How long connections may stay open once every relay is done. */
const LINGER_MS = 1000
/** A request must have its headers by the first, and the last byte of its body by the second. */
const HEADERS_MS = 20_000
const REQUEST_MS = 15 * 60_000
const CHECK_CONNECTIONS_MS = 5_000

export interface Gateway {
  /** Where it listens, as a browser on this machine would write it. */
  url: string
  port: number
  /** Stops accepting, lets streams finish for `stopGraceMs`, settles everything and closes. The Toolkit stays open. */
  close(): Promise<void>
}

/** Throws PORT_IN_USE before anything else is touched. Port 0 is always free. */
export async function portIsFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (cause) => reject(listenError(cause, { port, host })))
    probe.listen({ port, host }, () => probe.close(() => resolve()))
  })
}

/** Listens and serves: the REST API, the relay and the console. Throws PORT_IN_USE. */
export async function startGateway({
  config,
  toolkit,
  logger = pino({ level: config.logLevel }),
  regularWork = true,
  tokenizer = createTokenizer(),
}: {
  config: Config
  toolkit: LocalToolkit
  logger?: Logger
  /** Whether it takes part in what is done regularly; one that is there for a moment does not. */
  regularWork?: boolean
  /** Closed with the gateway. */
  tokenizer?: Tokenizer
}): Promise<Gateway> {
  keepRequestsYoung()
  await preload()
  const { options, thoughts } = toolkit
  const links = createLinks({ idleTimeoutMs: config.relayTimeoutMs, ...config, options, thoughts })
  const directory = await toolkit.channelDirectory()
  await toolkit.ledger.start()
  await removeLeftoverUploads().catch((err) => logger.warn({ err }, 'leftover uploads were not removed'))
  const countTokens = createTokenCounter({ toolkit, directory, links, tokenizer })
  const upkeep = openUpkeep({ toolkit, directory, config, logger })
  const { health } = upkeep
  const bodies = new BodyBudget(config.bodyLimits)
  const failures = new FailureLog({
    ...toolkit,
    onFailure: (err) => logger.error({ err }, 'rows of failed relays could not be written'),
  })
  const relays = createRelays({ toolkit, directory, links, tokenizer, health, config, bodies, failures, logger })
  const sessions = createSessions({ toolkit, links, tokenizer, health, logger })
  const submissions = createRunningSubmissions()
  const nextId = requestIds()
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs as much as parsing it; every line names its request id itself.
    childLoggerFactory: (parent) => parent,
    trustProxy: config.trustProxy,
    bodyLimit: config.bodyMax,
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: nextId,
    rewriteUrl: servingUrl,
    // A path that cannot be decoded reaches no hook. The console has no page of that name, and says so.
    frameworkErrors(_error, request, reply) {
      reply.header(REQUEST_ID_HEADER, request.id)
      if (asksForPage(request) && !isApiPath(request.url)) void reply.redirect('/not-found')
      else void invalidUrl(request, reply)
    },
    forceCloseConnections: 'idle',
    // Of one request, until its last byte has arrived. Replies, streams and websockets may take as long as they need.
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS },
    clientErrorHandler: rejectConnection,
  }) as unknown as FastifyInstance
  app.addHook('onSend', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    if (reply.statusCode === REQUEST_TIMEOUT) reply.headers(CLOSING)
  })
  app.addHook('onSend', keepForUnreadBody)
  // Plugins read bodies themselves; that of an unknown path is not kept.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  app.addHook('onSend', secureReply)
  // The gateway itself speaks HTTP: TLS is what a proxy tells.
  if (config.trustProxy) app.addHook('onRequest', noteTls)
  nameVersion(app)
  compileLazily(app)
  const limiters = await createLimiters(app, config.rateLimits)
  app.setNotFoundHandler(unknownPath(limiters.web))
  await describeRoutes(app)
  let stoppingSince: number | undefined
  await app.register(named(probeRoutes), {
    readiness: createReadiness(readinessChecks({ toolkit, config })),
    stopGraceMs: config.stopGraceMs,
    stoppingSince: () => stoppingSince,
  })
  const stoppables: Stoppable[] = []
  await app.register(named(relayRoutes), {
    relays,
    sessions,
    countTokens,
    submissions,
    health,
    links,
    logger,
    toolkit,
    directory,
    bodyMax: config.bodyMax,
    bodyItemsMax: config.bodyItemsMax,
    bodies,
    failures,
    limiter: limiters.api,
    stoppables,
  })
  await app.register(named(apiRoutes), {
    toolkit,
    directory,
    config,
    rounds: upkeep.rounds,
    jobs: upkeep.jobs,
    rootMails: upkeep.rootMails,
    links,
    startedAt: Math.floor(Date.now() / 1000),
    limiters,
    bodies,
  })
  await app.register(named(browseRoutes), { limiter: limiters.web })
  await app.register(named(consoleRoutes), {
    limiter: limiters.web,
    services: config.services,
    options: toolkit.options,
  })
  serveRelaysFirst(app.server, { relays, toolkit, bodies, failures, config, nextId })
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (cause) {
    throw listenError(cause as Error, config)
  }
  if (regularWork) {
    upkeep.begin(links)
    // The list of log rows works without it; it may still run when the database closes.
    void toolkit.logs.prepare().catch((err) => logger.debug({ err }, 'the log rows were not counted ahead'))
  }
  const { port } = app.server.address() as { port: number }
  return {
    port,
    url: `http://${['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host}:${port}`,
    async close() {
      stoppingSince = performance.now()
      const until = stoppingSince + config.stopGraceMs
      const closed = once(app.server, 'close')
      const finish = async () => {
        await drain(app.server, config.stopGraceMs)
        const graceMs = Math.max(0, until - performance.now())
        await finishWithin({ graceMs, closed }, [relays, sessions, submissions, ...stoppables])
      }
      await Promise.all([finish(), upkeep.stop()])
      // What is written by now leaves at once, unless its reader does not read; a request still on its way comes too late.
      const late = setTimeout(() => app.server.closeAllConnections(), LINGER_MS)
      app.server.closeIdleConnections()
      await closed
      clearTimeout(late)
      await app.close()
      await failures.close()
      await upkeep.close()
      await Promise.all([links.close(), tokenizer.close()])
    },
  }
}

function listenError(cause: Error, { port, host }: Pick<Config, 'port' | 'host'>): Error {
  const { code } = cause as { code?: string }
  if (code === 'EADDRINUSE') return new GatewayError('PORT_IN_USE', { port, host }, { cause })
  const reason = `cannot listen on ${host}:${port} (${cause.message})`
  return new GatewayError('CONFIG_INVALID', { name: 'HOST and PORT', reason }, { cause })
}

/**
 * Makes request ids: the time to the second, in UTC, the process, and a number. Unique for ever; and since each is
 * greater than the last, the log's index of them grows at its end, which is much cheaper than in its middle.
 */
function requestIds(): () => string {
  const process = randomHex(10)
  let at = 0
  let second = ''
  let number = 0
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now > at) {
      at = now
      second = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14) + process
    }
    number += 1
    return second + String(number).padStart(10, '0')
  }
}
