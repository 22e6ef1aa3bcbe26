import type { EventEmitter } from 'node:events'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import type { LiveChannel } from '../../core/channels/directory.ts'
import { createDispatchers } from './dispatchers.ts'
import type { UpstreamRequest } from './providers/provider.ts'
import { openSocket } from './sockets.ts'
import { UpstreamBody, type UpstreamReply } from './upstream-reply.ts'

export interface SendOptions {
  /** Emits `abort` to end the exchange at any time. */
  signal: EventEmitter
  headersTimeoutMs: number
  /** Whose upstream it is: its proxy may have to be taken. */
  channel: Pick<LiveChannel, 'id' | 'settings'>
}

/** The one client that speaks to upstreams: connections for each origin, or a websocket for one exchange. */
export interface Upstream {
  /** Resolves with the head of the answer. */
  send(request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply>
  /** The channel's proxy, for a websocket that is opened elsewhere. */
  agent(channel: SendOptions['channel']): Agent | undefined
  close(): Promise<void>
}

export function createUpstream({ idleTimeoutMs }: { idleTimeoutMs: number }): Upstream {
  const dispatchers = createDispatchers({ idleTimeoutMs })
  return {
    async send(request, { signal, headersTimeoutMs, channel }) {
      const { url, method = 'POST', headers, body } = request
      if (/^wss?:/.test(url)) {
        const agent = dispatchers.agent(channel)
        return openSocket(request, { signal, headersTimeoutMs, idleTimeoutMs, agent })
      }
      const slash = url.indexOf('/', url.indexOf('://') + 3)
      const origin = slash < 0 ? url : url.slice(0, slash)
      const path = slash < 0 ? '/' : url.slice(slash)
      const options = {
        path,
        method,
        headers,
        body: typeof body === 'function' ? body() : body,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: idleTimeoutMs,
      }
      const dispatcher = dispatchers.dispatcher(origin, channel)
      return new Promise((resolve, reject) => {
        dispatcher.dispatch(options, new Exchange(signal, resolve, reject))
      })
    },
    agent: (channel) => dispatchers.agent(channel),
    close: () => dispatchers.close(),
  }
}

/**
 * One exchange. It takes undici's callbacks as they come (https://undici.nodejs.org/#/docs/api/Dispatcher): the streams
 * of its higher methods would cost more for each request than everything else that the relay does with it.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly body = new UpstreamBody()
  private controller: Dispatcher.DispatchController | undefined

  constructor(
    private readonly signal: EventEmitter,
    private readonly resolve: (reply: UpstreamReply) => void,
    private readonly reject: (reason: unknown) => void,
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
    if (statusCode >= 200) this.resolve({ statusCode, headers, body: this.body })
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
    // Before it starts, a request waits for its connection: nothing of it has left.
    this.reject(this.controller ? error : new UnsentError(error.message, { cause: error }))
  }
}

/** The upstream was not reached: whatever was asked of it, it does not know. */
export class UnsentError extends Error {
  override readonly name = 'UnsentError'
}

/** Whether an exchange ended because the upstream was silent for too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
}

/** Codes of websockets that did not come about: addresses, networks, and what TLS refuses. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENETUNREACH|ENETDOWN|ETIMEDOUT|EPROTO|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_|ERR_TUNNEL)/

/** Whether an exchange came to nothing because nobody could be reached. */
export function isUnreached(error: unknown): boolean {
  if (error instanceof UnsentError) return !(error.cause instanceof errors.RequestAbortedError)
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && UNREACHED.test(code)
}
