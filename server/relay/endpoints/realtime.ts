import { EventEmitter } from 'node:events'
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Attempt as HealthAttempt, RelayHealth } from '../../../core/channels/health/relay-health.ts'
import type { RequestEcho } from '../../../core/channels/health/request-echo.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { type Pool, pickChannel } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Ledger } from '../../../core/ledger/ledger.ts'
import { chooseLanguage, type Language } from '../../../core/messages/language.ts'
import { because } from '../../../core/messages/reasons.ts'
import { BY_USAGE, chargeQuota, holdQuota, type Price } from '../../../core/pricing/prices.ts'
import type { BodyBytes } from '../../bodies/budget.ts'
import type { JsonLimits } from '../../bodies/json-scan.ts'
import { countMessages } from '../../bodies/messages.ts'
import { withKnownBetas } from '../attempt/betas.ts'
import type { ProviderContextFor } from '../attempt/provider-context.ts'
import { requestEchoOf } from '../attempt/request-echo.ts'
import type { Bill } from '../charging/bill.ts'
import type { End } from '../charging/charge.ts'
import type { Tokenizer } from '../counting/tokenizer.ts'
import { errorForClient, failureError } from '../delivery/error.ts'
import type { Stoppable } from '../delivery/grace.ts'
import { REQUEST_ID_HEADER } from '../delivery/reply-head.ts'
import type { Json } from '../json.ts'
import { createFailure, toClientFailure, withoutSecrets } from '../providers/failure.ts'
import type { Failure, Provider, ProviderRequest } from '../providers/provider.ts'
import { mappedModel } from '../routing/attempts.ts'
import { backOff } from '../routing/back-off.ts'
import { throwIfUnavailable, unavailableError } from '../routing/set-aside.ts'
import { RealtimeMeter } from './realtime-meter.ts'
import { CLOSE, close, forwardFrames, type SessionEnding, type SessionSockets } from './realtime-sockets.ts'
import { type Dialled, dial, FRAME_BYTES_MAX } from './realtime-upstream.ts'
import { realtimeBill } from './receipt.ts'

/** The data of an admitted request that a session needs. */
export interface RealtimeAdmitted {
  readonly requestId: string
  /** The model name that the client requested. */
  readonly model: string
  readonly price: Price
  readonly channels: Pool<LiveChannel>
  /** The client's query string, without `?` and the API key. */
  readonly query: string
  /** Client headers that may be forwarded to an upstream. */
  readonly headers: Readonly<Record<string, string>>
  /** All client headers. A channel's configured headers may refer to them. */
  readonly clientHeaders?: IncomingHttpHeaders
  /** Initial settings of the session. Absent if the client sends its settings itself. */
  readonly initialSession?: Json
}

/** An ended session, with the data for its charge. */
export interface EndedSession<A extends RealtimeAdmitted> {
  readonly admitted: A
  readonly hold: Hold
  readonly channel: LiveChannel
  readonly upstreamModel: string
  readonly tried: readonly number[]
  /** Start of the session in ms since the epoch. `firstTokenAt` and `endedAt` have the same unit. */
  readonly startedAt: number
  readonly firstTokenAt: number | undefined
  readonly endedAt: number
  readonly end: End
  readonly bill: Bill
}

interface RealtimeParts<A extends RealtimeAdmitted> {
  /** Holds quota for a session. Throws INSUFFICIENT_*, LIMIT_REACHED. */
  hold(admitted: A, quota: number): Promise<Hold>
  readonly ledger: Pick<Ledger, 'extend' | 'release'>
  /** Returns the error if an event of the client must be rejected, or undefined if it may be forwarded. */
  refuse(admitted: A, event: Json): GatewayError | undefined
  /** Writes the charge of a session. Resolves when the charge is committed. */
  settle(session: EndedSession<A>): Promise<void>
  providerOf(channel: LiveChannel): Pick<Provider, 'plan' | 'failure'>
  readonly providerContextFor: ProviderContextFor
  /** Returns the agent for the channel's proxy, or undefined if the channel has no proxy. */
  agentOf(channel: LiveChannel): Agent | undefined
  /** Returns the health that decides which channels the request may use, and that gets the outcomes of the attempts. */
  health(admitted: A): RelayHealth
  /** Returns the maximum number of channels to try. */
  attemptsMax(admitted: A): number
  /** Returns a share of the memory budget for bodies, for the client's incomplete frames. */
  receiving(admitted: A): BodyBytes
  /** Limits of a client's frame, checked before the frame is parsed. */
  readonly limits: JsonLimits
  /** Returns the number of prompt tokens that the hold must have beyond the usage so far. */
  aheadTokens(): number
  /** Time without a frame after which a session ends. */
  readonly idleMs: number
  readonly tokenizer: Pick<Tokenizer, 'count'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** OpenAI's realtime sessions: https://platform.openai.com/docs/guides/realtime-websocket */
export interface Realtime<A extends RealtimeAdmitted> extends Stoppable {
  /**
   * Upgrades an admitted request, and serves the session until both sides are closed and the session is charged. Sends
   * errors as `error` events.
   */
  handle(admitted: A, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** A running session. `sockets` is set after the upstream is connected. */
interface Session {
  readonly requestId: string
  readonly language: Language
  /** Whether the client used subprotocols. */
  readonly asBrowser: boolean
  sockets?: SessionSockets
}

interface StartedSession<A> {
  readonly admitted: A
  readonly hold: Hold
  /** Quota that the hold must have beyond the cost of the usage so far. */
  readonly aheadQuota: number
  readonly startedAt: number
  readonly session: Session
}

interface ConnectedUpstream {
  readonly upstream: WebSocket
  readonly channel: LiveChannel
  readonly upstreamModel: string
  readonly tried: readonly number[]
  readonly health: HealthAttempt
}

export function createRealtime<A extends RealtimeAdmitted>(parts: RealtimeParts<A>): Realtime<A> {
  const { ledger, logger, tokenizer } = parts
  const running = new Map<Promise<void>, Session>()
  let stopping = false
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    // Never select a browser's other subprotocols, which contain its key and the beta version.
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  })
  const ids = new WeakMap<IncomingMessage, string>()
  server.on('headers', (headers, request) => {
    const id = ids.get(request) ?? ''
    headers.push(`${REQUEST_ID_HEADER}: ${id}`, `x-request-id: ${id}`)
  })

  /** Returns the client's socket, paused until the upstream is connected, or undefined if the upgrade failed. */
  function upgrade(
    admitted: A,
    { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  ): Promise<WebSocket | undefined> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(undefined)
      socket.once('close', () => resolve(undefined))
      server.handleUpgrade(request, socket, head, (client) => {
        client.pause()
        countMessages(client, socket, parts.receiving(admitted))
        client.on('error', () => {})
        resolve(client)
      })
    })
  }

  async function serve(admitted: A, client: WebSocket, session: Session): Promise<void> {
    const { requestId, price } = admitted
    const startedAt = Date.now()
    let hold: Hold | undefined
    try {
      if (stopping) throw new GatewayError('STOPPING')
      const aheadQuota = holdQuota(spokenPrice(price), {
        promptTokens: parts.aheadTokens(),
        completionTokens: RESPONSE_TOKENS_MAX,
      })
      hold = await parts.hold(admitted, aheadQuota)
      const connected = await connectUpstream(admitted, session)
      if ('failure' in connected) return close(client, CLOSE.broken, failureError(connected.failure, session))
      const ending = await converse(client, connected, { admitted, hold, aheadQuota, startedAt, session })
      close(client, ending.code, ending.error)
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ requestId, err: error }, 'realtime session failed')
      close(client, closeCodeOf(error), errorForClient(error, session))
    } finally {
      if (hold) ledger.release(hold)
    }
  }

  /** Tries channels until one opens a session. If no channel does, returns the last failure. */
  async function connectUpstream(
    admitted: A,
    { asBrowser }: Session,
  ): Promise<ConnectedUpstream | { failure: Failure }> {
    const { channels, model, requestId } = admitted
    const tried = new Set<number>()
    const health = parts.health(admitted)
    throwIfUnavailable(health, channels, model)
    const isCandidate = (channel: LiveChannel) => !tried.has(channel.id) && health.allows(channel)
    let lastFailure: Failure | undefined
    while (tried.size < parts.attemptsMax(admitted)) {
      let picked = pickChannel(channels, isCandidate, Math.random)
      if (picked && lastFailure) {
        await backOff(tried.size)
        // The health of the picked channel may have changed while waiting.
        if (!isCandidate(picked)) picked = pickChannel(channels, isCandidate, Math.random)
      }
      const channel = picked && health.withKey(picked, Math.random)
      if (!channel) break
      tried.add(channel.id)
      const upstreamModel = mappedModel(model, channel.modelMapping)
      const healthAttempt = health.attempt(channel)
      const dialResult = await open(channel, { admitted, upstreamModel, asBrowser }).catch((error) => {
        healthAttempt.abandoned()
        throw error
      })
      if ('socket' in dialResult) {
        healthAttempt.recordFirstToken()
        return { upstream: dialResult.socket, channel, upstreamModel, tried: [...tried], health: healthAttempt }
      }
      lastFailure = toClientFailure(dialResult.failure, channel)
      healthAttempt.failed(lastFailure, () => echoOf(admitted, upstreamModel))
      const { status, code, message, retry } = lastFailure
      logger.warn(
        { requestId, channel: channel.id, key: channel.keyName?.digest, model, status, code, reason: message },
        'attempt failed',
      )
      if (retry === 'never') break
    }
    if (lastFailure) return { failure: lastFailure }
    const unavailable = unavailableError(health, channels, { passed: [...tried], model })
    if (unavailable) throw unavailable
    throw new GatewayError('OPERATION_UNSUPPORTED', because('realtimeUnserved', { model }))
  }

  async function open(
    channel: LiveChannel,
    { admitted, upstreamModel, asBrowser }: { admitted: A; upstreamModel: string; asBrowser: boolean },
  ): Promise<Dialled> {
    const provider = parts.providerOf(channel)
    const context = parts.providerContextFor(channel, { signal: new EventEmitter(), cause: undefined })
    const { request } = await provider.plan(askOf(admitted, upstreamModel, channel), channel, context)
    return dial(request, channel, { provider, agent: parts.agentOf(channel), asBrowser })
  }

  /** Connects both sides until the session ends, then charges the session. */
  async function converse(
    client: WebSocket,
    { upstream, channel, upstreamModel, tried, health }: ConnectedUpstream,
    started: StartedSession<A>,
  ): Promise<SessionEnding> {
    const { admitted, hold, startedAt, session } = started
    const { model, price } = admitted
    const meter = new RealtimeMeter()
    const sockets = forwardFrames(
      { client, upstream },
      {
        meter,
        models: { requested: model, upstream: upstreamModel },
        clean: (text) => withoutSecrets(text, channel),
        refuse(event) {
          const error = parts.refuse(admitted, event)
          return error && errorForClient(error, session)
        },
        initial: admitted.initialSession,
        limits: parts.limits,
        idleMs: parts.idleMs,
        onDefect: (err) => logger.error({ requestId: admitted.requestId, err }, 'realtime session failed'),
        onProgress: () => void keepAhead(meter, sockets, started),
      },
    )
    session.sockets = sockets
    if (stopping) sockets.end(stoppingEnd(session))
    client.resume()
    upstream.resume()
    const ending = await sockets.ended
    if (ending.end === 'complete') health.succeeded()
    else if (ending.end === 'upstream-broke') {
      // If the upstream rejected a frame, the client caused the failure, so the status is 400.
      const status = ending.refusedFrame ? 400 : 502
      const upstreamFailure = createFailure(status, ending.error?.message ?? '', { code: 'upstream_broke' })
      health.failed(upstreamFailure, () => echoOf(admitted, upstreamModel))
    } else health.abandoned()
    await sockets.drain()
    const { usage, isEstimated } = await meter.total((texts) => tokenizer.count(model, texts))
    await parts.settle({
      admitted,
      hold,
      channel,
      upstreamModel,
      tried,
      startedAt,
      firstTokenAt: meter.firstTokenAt,
      endedAt: Date.now(),
      end: ending.end,
      bill: realtimeBill(price, usage, { isEstimated }),
    })
    return ending
  }

  const extendingHolds = new WeakSet<Hold>()
  /** Extends the hold before the usage exceeds the hold. Ends the session if the hold cannot be extended. */
  async function keepAhead(
    meter: RealtimeMeter,
    sockets: SessionSockets,
    { admitted, hold, aheadQuota, session }: StartedSession<A>,
  ): Promise<void> {
    const { price, requestId } = admitted
    if (price.modelPrice !== BY_USAGE || extendingHolds.has(hold)) return
    const missingQuota = chargeQuota(price, meter.estimate()) + aheadQuota - hold.quota
    if (missingQuota <= 0) return
    extendingHolds.add(hold)
    try {
      // The extension exceeds the missing quota by `aheadQuota`, so that the next frames need none.
      await ledger.extend(hold, missingQuota + aheadQuota)
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ requestId, err: error }, 'realtime session failed')
      sockets.end({ end: 'quota', code: closeCodeOf(error), error: errorForClient(error, session) })
    } finally {
      extendingHolds.delete(hold)
    }
  }

  return {
    async handle(admitted, request, socket, head) {
      ids.set(request, admitted.requestId)
      const client = await upgrade(admitted, { request, socket, head })
      if (!client) return
      const session: Session = {
        requestId: admitted.requestId,
        language: chooseLanguage(request.headers['accept-language'], 'en'),
        asBrowser: request.headers['sec-websocket-protocol'] !== undefined,
      }
      const serving = serve(admitted, client, session)
      running.set(serving, session)
      await serving.finally(() => running.delete(serving))
    },
    running: () => running.keys(),
    stop() {
      stopping = true
      for (const session of running.values()) session.sockets?.end(stoppingEnd(session))
    },
  }
}

/**
 * Maximum output tokens of a response, which an upstream may report at once.
 * https://platform.openai.com/docs/api-reference/realtime-client-events/session
 */
const RESPONSE_TOKENS_MAX = 4096

/** Returns a price at which all output costs as much as audio, or as text if text is more expensive. */
function spokenPrice(price: Price): Price {
  return { ...price, completionRatio: Math.max(price.completionRatio, price.audioRatio * price.audioCompletionRatio) }
}

function askOf(
  { model: requestedModel, query, headers, clientHeaders }: RealtimeAdmitted,
  model: string,
  { settings }: LiveChannel,
): ProviderRequest {
  return {
    operation: 'realtime',
    dialect: 'openai-chat',
    raw: Buffer.alloc(0),
    body: {},
    model,
    requestedModel,
    stream: true,
    query,
    headers: withKnownBetas(headers, settings),
    ...(clientHeaders && { clientHeaders }),
    conversation() {
      throw new Error('A realtime session is no conversation')
    },
  }
}

/** Returns the echo of a session's request, which has no body. */
function echoOf(admitted: RealtimeAdmitted, upstreamModel: string): RequestEcho {
  return requestEchoOf({ ...admitted, body: undefined }, [admitted.model, upstreamModel])
}

function stoppingEnd(session: Session): SessionEnding {
  return { end: 'stopping', code: CLOSE.away, error: errorForClient(new GatewayError('STOPPING'), session) }
}

function closeCodeOf(error: unknown): number {
  if (!(error instanceof GatewayError)) return CLOSE.broken
  return error.code === 'STOPPING' ? CLOSE.away : CLOSE.refused
}
