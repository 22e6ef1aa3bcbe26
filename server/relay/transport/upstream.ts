import type { EventEmitter } from 'node:events'
import { Agent, type IncomingHttpHeaders } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { type Dispatcher, errors } from 'undici'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { proxyOf } from '../../../core/channels/settings/proxy.ts'
import { errorCode } from '../../../core/error-parts.ts'
import { type ConnectionGuard, guardedLookup } from '../../connections.ts'
import type { UpstreamRequest } from '../providers/provider.ts'
import { createDispatchers } from './dispatchers.ts'
import { openSocket } from './sockets.ts'
import { UpstreamBody, type UpstreamReply } from './upstream-reply.ts'

interface SendOptions {
  /** Emits `abort` to end the exchange at any time. */
  signal: EventEmitter
  headersTimeoutMs: number
  /** The channel of the request. If the channel has a proxy, the request uses it. */
  channel: Pick<LiveChannel, 'id' | 'settings'>
}

/** Receives an upstream's reply, or the error if no reply arrives. Only one method is called, and only once. */
export interface ReplyListener {
  onReply(reply: UpstreamReply): void
  onUnanswered(error: unknown): void
}

/**
 * The client for all requests to upstreams. Shares HTTP connections per origin, but opens a websocket for each
 * exchange.
 */
export type Upstream = ReturnType<typeof createUpstream>

export function createUpstream({
  idleTimeoutMs,
  guard,
}: {
  idleTimeoutMs: number
  guard?: ConnectionGuard | undefined
}) {
  const dispatchers = createDispatchers({ idleTimeoutMs, guard })

  async function sendOverSocket(
    request: UpstreamRequest,
    { channel, ...options }: SendOptions,
  ): Promise<UpstreamReply> {
    const proxyAgent = dispatchers.agent(channel)
    const agent = guard ? await guardedAgent(request.url, { guard, proxyAgent, proxy: proxyOf(channel) }) : proxyAgent
    return openSocket(request, { ...options, idleTimeoutMs, agent })
  }

  function dispatch(request: UpstreamRequest, options: SendOptions, listener: ReplyListener): void {
    const { url, method = 'POST', headers, body } = request
    if (url.startsWith('ws')) {
      sendOverSocket(request, options).then(
        (reply) => listener.onReply(reply),
        (error) => listener.onUnanswered(error),
      )
      return
    }
    const { signal, headersTimeoutMs, channel } = options
    const slash = url.indexOf('/', url.indexOf('://') + 3)
    const origin = slash < 0 ? url : url.slice(0, slash)
    const path = slash < 0 ? '/' : url.slice(slash)
    const dispatcher = dispatchers.dispatcher(origin, channel)
    const dispatchOptions = {
      path,
      method,
      headers,
      body: typeof body === 'function' ? body() : body,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    }
    dispatcher.dispatch(dispatchOptions, new Exchange(signal, listener))
  }

  return {
    /** Sends a request, and reports failures to `listener`. Throws only if the proxy is unusable or `body()` throws. */
    dispatch,
    /** Sends a request as `dispatch` does. Resolves with the reply, or rejects if there is none. */
    send: (request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply> =>
      new Promise((resolve, reject) => dispatch(request, options, { onReply: resolve, onUnanswered: reject })),
    /**
     * Returns the agent of the channel's proxy, for a websocket that other code opens. Returns undefined without a
     * proxy.
     */
    agent: (channel: SendOptions['channel']): Agent | undefined => dispatchers.agent(channel),
    close: (): Promise<void> => dispatchers.close(),
  }
}

/** Checks the address of a websocket and returns its agent. Rejects with UnsentError if the address is not allowed. */
async function guardedAgent(
  url: string,
  { guard, proxyAgent, proxy }: { guard: ConnectionGuard; proxyAgent: Agent | undefined; proxy: URL | undefined },
): Promise<Agent> {
  const lookup = await guardedLookup(new URL(url), guard, proxy).catch((cause: Error) => {
    throw new UnsentError(cause.message, { cause })
  })
  return proxyAgent ?? (url.startsWith('wss:') ? new SecureAgent({ lookup }) : new Agent({ lookup }))
}

/**
 * One exchange, which handles undici's callbacks itself: https://undici.nodejs.org/#/docs/api/Dispatcher
 *
 * The streams of undici's other methods would cost more per request than all other work of the relay.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly body = new UpstreamBody()
  private controller: Dispatcher.DispatchController | undefined
  private isAnswered = false

  constructor(
    private readonly signal: EventEmitter,
    private readonly listener: ReplyListener,
  ) {
    signal.on('abort', this.abort)
  }

  private readonly abort = (): void => {
    this.body.aborted = true
    this.controller?.abort(new errors.RequestAbortedError())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    this.body.controller = controller
    if (this.body.aborted) this.abort()
  }
  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return
    this.isAnswered = true
    this.listener.onReply({ statusCode, headers, body: this.body })
  }
  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body.push(chunk)
  }
  onResponseEnd(): void {
    this.signal.off('abort', this.abort)
    this.body.end(undefined)
  }
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.signal.off('abort', this.abort)
    this.body.end(error)
    if (this.isAnswered) return
    // Without a controller, the request was waiting for a connection, so nothing was sent.
    this.listener.onUnanswered(this.controller ? error : new UnsentError(error.message, { cause: error }))
  }
}

/** The error for a request that was not sent. */
export class UnsentError extends Error {
  override readonly name = 'UnsentError'
}

/** Whether an exchange failed because the upstream sent nothing for too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
}

/** Error codes of connections that failed because of the address, the network or TLS. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENETUNREACH|ENETDOWN|ETIMEDOUT|EPROTO|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_|ERR_TUNNEL)/

/** Whether an exchange failed because the upstream could not be reached. */
export function isUnreached(error: unknown): boolean {
  if (error instanceof UnsentError) return !(error.cause instanceof errors.RequestAbortedError)
  return UNREACHED.test(errorCode(error))
}
