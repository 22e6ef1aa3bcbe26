import { once } from 'node:events'
import { createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Config } from '../core/config.ts'
import { errorCode } from '../core/error-parts.ts'
import { GatewayError } from '../core/errors.ts'
import { randomHex } from '../core/secrets.ts'
import type { LocalToolkit } from '../core/toolkit.ts'
import { VERSION } from '../core/version.ts'
import { createLimiters } from './api/limits.ts'
import { browseRoutes, describeRoutes } from './api/openapi.ts'
import { apiRoutes } from './api/routes.ts'
import { openBackground } from './background.ts'
import { BodyBudget } from './bodies/budget.ts'
import { rejectConnection } from './bodies/connection.ts'
import { keepForUnreadBody } from './bodies/unread.ts'
import { compileLazily } from './compile.ts'
import { consoleRoutes, isApiPath, loadConsole } from './console.ts'
import type { ConsoleFile } from './console-files.ts'
import { drain } from './drain.ts'
import { removeForwardedPorts } from './forwarded.ts'
import { createHeadRequests } from './head-requests.ts'
import { ALONE, type MetricsExchange, type ReadFamilies } from './metrics/exchange.ts'
import { createGauges } from './metrics/gauges.ts'
import { Metrics } from './metrics/metrics.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { named } from './named.ts'
import { preload } from './preload.ts'
import { readinessChecks } from './probes/checks.ts'
import { createReadiness } from './probes/readiness.ts'
import { probeRoutes } from './probes/routes.ts'
import { createTokenCounter } from './relay/count-tokens.ts'
import { createTokenizer, type Tokenizer } from './relay/counting/tokenizer.ts'
import { FailureLog } from './relay/delivery/failure-log.ts'
import { drainWithin, type Stoppable } from './relay/delivery/grace.ts'
import { CLOSING, REQUEST_ID_HEADER, REQUEST_TIMEOUT } from './relay/delivery/reply-head.ts'
import { removeLeftoverUploads } from './relay/endpoints/leftover-uploads.ts'
import { serveRelaysFirst } from './relay/listener.ts'
import { asksForPage, servingUrl } from './relay/paths/aliases.ts'
import { createRelays } from './relay/relays.ts'
import { relayRoutes } from './relay/routes.ts'
import { createRealtimeSessions } from './relay/sessions.ts'
import { createRunningSubmissions } from './relay/tasks/running.ts'
import { createOutboundClients } from './relay/transport/outbound-clients.ts'
import { noteTls, secureReply } from './security-headers.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { invalidUrl, unknownPath } from './unknown-path.ts'

/** Maximum time that connections stay open after the last relay has ended. */
const LINGER_MS = 1000
/** Maximum time to receive the headers of a request. */
const HEADERS_MS = 20_000
/** Maximum time to receive a whole request, with its body. */
const REQUEST_MS = 15 * 60_000
const CHECK_CONNECTIONS_MS = 5_000
/** Header with the gateway's version. Clients use it to detect an incompatible gateway, even on unknown paths. */
const VERSION_HEADER = 'tollgate-version'

export interface Gateway {
  /** The listening URL, for a browser on this machine. */
  url: string
  port: number
  /**
   * Stops accepting requests, and lets streams finish within `stopGraceMs`. Then settles charges and closes everything
   * except the Toolkit.
   */
  close(): Promise<void>
}

/** Resolves if the port is free. Port 0 is always free. Throws PORT_IN_USE or CONFIG_INVALID. */
export async function portIsFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (cause) => reject(listenError(cause, { port, host })))
    probe.listen({ port, host }, () => probe.close(() => resolve()))
  })
}

/**
 * Starts the REST API, the relay and the console. Throws PORT_IN_USE if the port is taken. Throws CONFIG_INVALID if no
 * interface has the configured address.
 */
export async function startGateway({
  config,
  toolkit,
  logger = pino({ level: config.logLevel }),
  hasJobs = true,
  tokenizer = createTokenizer(),
  exchange = ALONE,
  consoleFiles = loadConsole(),
}: {
  config: Config
  toolkit: LocalToolkit
  logger?: Logger
  /** Whether to run jobs. False for a short-lived gateway. */
  hasJobs?: boolean
  /** Counts tokens in worker threads. `close` closes it. */
  tokenizer?: Tokenizer
  /** Combines the metrics of several processes. Absent if there is only one process. */
  exchange?: MetricsExchange
  /** The built console. Undefined without a build. */
  consoleFiles?: ReadonlyMap<string, ConsoleFile> | undefined
}): Promise<Gateway> {
  keepRequestsYoung()
  await preload()
  const { options, thoughts } = toolkit
  const links = createOutboundClients({ idleTimeoutMs: config.relayTimeoutMs, ...config, options, thoughts })
  const directory = await toolkit.channelDirectory()
  await toolkit.ledger.start()
  await toolkit.liveLimits.start()
  await removeLeftoverUploads().catch((err) => logger.warn({ err }, 'leftover uploads were not removed'))
  const countTokens = createTokenCounter({ toolkit, directory, links, tokenizer })
  const background = openBackground({ toolkit, directory, config, logger })
  const { health } = background
  const bodies = new BodyBudget(config.bodyLimits)
  const metrics = new Metrics()
  toolkit.ledger.onCommitted((charges, ms) => metrics.committed(charges, ms / 1000))
  const failures = new FailureLog({
    ...toolkit,
    onFailure: (err) => logger.error({ err }, 'rows of failed relays could not be written'),
    onError: (error) => metrics.failed(error),
  })
  let running = () => 0
  const gauges = createGauges({
    toolkit,
    directory,
    health,
    running: () => running(),
    onFailure: (err) => logger.warn({ err }, 'the sums of the ledger could not be read for the metrics'),
  })
  const readFamilies = async () => [...metrics.families(), ...(await gauges.families())]
  const joined = exchange.join(readFamilies)
  const telemetry = config.otlp && (await openTelemetry(config.otlp, readFamilies))
  const relays = createRelays({
    toolkit,
    directory,
    links,
    tokenizer,
    health,
    config,
    bodies,
    failures,
    logger,
    metrics,
    telemetry,
  })
  running = () => relays.count
  const sessions = createRealtimeSessions({
    toolkit,
    links,
    tokenizer,
    health,
    logger,
    idleMs: config.websocketIdleMs,
    bodies,
    bodyItemsMax: config.bodyItemsMax,
  })
  const submissions = createRunningSubmissions()
  const nextId = requestIds()
  const heads = createHeadRequests()
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would cost as much as parsing the request. Log lines have a request id instead.
    childLoggerFactory: (parent) => parent,
    trustProxy: config.trustProxy,
    bodyLimit: config.bodyMax,
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: nextId,
    exposeHeadRoutes: false,
    rewriteUrl(request) {
      if (config.trustProxy) removeForwardedPorts(request)
      const url = servingUrl(request)
      heads.routeAsGet(request)
      return url
    },
    // Fastify runs no hooks for a path that it cannot decode. Browsers are redirected to the console's page for unknown
    // paths.
    frameworkErrors(_error, request, reply) {
      heads.restore(request.raw)
      reply.header(REQUEST_ID_HEADER, request.id).header('x-request-id', request.id)
      if (asksForPage(request) && !isApiPath(request.url)) void reply.redirect('/not-found')
      else void invalidUrl(request, reply)
    },
    forceCloseConnections: 'idle',
    // Limits the time until the last byte of the request has arrived. Replies, streams and websockets are not limited.
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS },
    clientErrorHandler: rejectConnection,
  }) as unknown as FastifyInstance
  heads.serve(app)
  app.addHook('onSend', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id).header('x-request-id', request.id)
    if (reply.statusCode === REQUEST_TIMEOUT) reply.headers(CLOSING)
  })
  app.addHook('onSend', keepForUnreadBody)
  // Plugins read bodies themselves. This parser discards the body of a request to an unknown path.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  app.addHook('onSend', secureReply)
  // The gateway itself serves plain HTTP, so only a proxy reports TLS.
  if (config.trustProxy) app.addHook('onRequest', noteTls)
  addVersionHeader(app)
  compileLazily(app)
  const limiters = await createLimiters(app, config.rateLimits)
  app.setNotFoundHandler(unknownPath(limiters.web))
  await describeRoutes(app)
  let isStopping = false
  await app.register(named(probeRoutes), {
    readiness: createReadiness(readinessChecks({ toolkit, config })),
    isStopping: () => isStopping,
  })
  await app.register(named(metricsRoutes), {
    exchange: joined,
    options: toolkit.options,
    trustsProxy: config.trustProxy !== false,
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
    websocketIdleMs: config.websocketIdleMs,
    bodyMax: config.bodyMax,
    bodyItemsMax: config.bodyItemsMax,
    uploadMax: config.uploadMax,
    bodies,
    failures,
    limiter: limiters.api,
    stoppables,
  })
  const startedAt = Math.floor(Date.now() / 1000)
  await app.register(named(apiRoutes), {
    toolkit,
    directory,
    config,
    rounds: background.rounds,
    jobs: background.jobs,
    rootMails: background.rootMails,
    deliverNotice: background.deliverNotice,
    links,
    logger,
    startedAt,
    limiters,
    bodies,
  })
  await app.register(named(browseRoutes), { limiter: limiters.web })
  await app.register(named(consoleRoutes), {
    limiter: limiters.web,
    services: config.services,
    options: toolkit.options,
    startedAt,
    files: consoleFiles,
  })
  serveRelaysFirst(app.server, { relays, toolkit, bodies, failures, config, nextId })
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (cause) {
    throw listenError(cause as Error, config)
  }
  if (hasJobs) {
    background.begin(links)
    // Ignore errors. The list of log rows works without this count, which fails if the database closes meanwhile.
    void toolkit.logs.prepare().catch((err) => logger.debug({ err }, 'the log rows were not counted ahead'))
  }
  const { port } = app.server.address() as { port: number }
  return {
    port,
    url: `http://${['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host}:${port}`,
    async close() {
      isStopping = true
      const until = performance.now() + config.stopGraceMs
      const closed = once(app.server, 'close')
      const finish = async () => {
        await drain(app.server, config.stopGraceMs)
        const graceMs = Math.max(0, until - performance.now())
        await drainWithin({ graceMs, closed }, [relays, sessions, submissions, ...stoppables])
      }
      await Promise.all([finish(), background.stop()])
      // Most connections close at once, but a client that does not read its reply could delay the close.
      const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), LINGER_MS)
      app.server.closeIdleConnections()
      await closed
      clearTimeout(forceCloseTimer)
      await app.close()
      await failures.close()
      await joined.leave()
      await telemetry?.close()
      gauges.close()
      await background.close()
      await Promise.all([links.close(), tokenizer.close()])
    },
  }
}

/**
 * Configures how V8 collects the objects of requests (https://v8.dev/blog/trash-talk). Call it before the first
 * request.
 *
 * While the young generation is small, most objects of running requests survive a collection. So V8 assumes that their
 * code creates long-lived objects, and allocates some of these objects in the old generation (pretenuring). They keep
 * other objects of their relay alive until a full collection. With 32 connections, a collection took 5 ms with
 * pretenuring, and 1 ms without. Without pretenuring, a collection copies few objects, so parallel collection costs
 * more than it saves.
 */
function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-parallel-scavenge')
}

/** Adds the gateway's version to every reply below `/api/`. */
function addVersionHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) reply.header(VERSION_HEADER, VERSION)
    done()
  })
}

/** Starts telemetry. Imports the packages of telemetry only here, because most gateways do not use telemetry. */
async function openTelemetry(otlp: NonNullable<Config['otlp']>, read: ReadFamilies): Promise<Telemetry> {
  const { createTelemetry } = await import('./telemetry/telemetry.ts')
  return createTelemetry(otlp, read)
}

function listenError(cause: Error, { port, host }: Pick<Config, 'port' | 'host'>): Error {
  if (errorCode(cause) === 'EADDRINUSE') return new GatewayError('PORT_IN_USE', { port, host }, { cause })
  const reason = `cannot listen on ${host}:${port} (${cause.message})`
  return new GatewayError('CONFIG_INVALID', { name: 'HOST and PORT', reason }, { cause })
}

/**
 * Returns a function that creates globally unique request ids: UTC time in seconds, random text of this process, and a
 * number. Each id is greater than the previous id, so the index of the log grows only at its end, which is cheap.
 */
function requestIds(): () => string {
  const process = randomHex(10)
  let lastSecond = 0
  let second = ''
  let number = 0
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now > lastSecond) {
      lastSecond = now
      second = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14) + process
    }
    number += 1
    return second + String(number).padStart(10, '0')
  }
}
