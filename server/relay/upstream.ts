import type { EventEmitter } from 'node:events'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import type { LiveChannel } from '../../core/channels/directory.ts'
import { createDispatchers } from './dispatchers.ts'
import type { UpstreamRequest } from './providers/provider.ts'
import { openSocket } from './sockets.ts'

/** What may wait here for a slow client before the upstream is asked to pause. */
const WAITING_BYTES_MAX = 256 * 1024

/** The head of an upstream's answer; its body is still arriving. */
export interface UpstreamReply {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: UpstreamBody
}

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
  /** The way to a channel's upstream for a websocket that somebody else opens; undefined = directly. */
  agentOf(channel: Pick<LiveChannel, 'id' | 'settings'>): Agent | undefined
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
    agentOf: (channel) => dispatchers.agent(channel),
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
    this.reject(error)
  }
}

/** A body as it arrives: a queue of chunks between the socket and whoever reads, with backpressure. */
export class UpstreamBody implements AsyncIterable<Buffer> {
  controller: Dispatcher.DispatchController | undefined
  aborted = false
  private chunks: Buffer[] = []
  private waitingBytes = 0
  private ended = false
  private failure: Error | undefined
  private wake: (() => void) | undefined

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.waitingBytes += chunk.length
    if (this.waitingBytes > WAITING_BYTES_MAX) this.controller?.pause()
    this.wake?.()
  }

  end(failure: Error | undefined): void {
    this.ended = true
    this.failure = failure
    this.wake?.()
  }

  /** What has arrived since the last call, joined; undefined at the end. Throws what broke the exchange. */
  async read(): Promise<Buffer | undefined> {
    if (this.chunks.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
    if (this.chunks.length === 0) {
      if (this.failure) throw this.failure
      return undefined
    }
    const arrived = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks)
    this.chunks = []
    if (this.waitingBytes > WAITING_BYTES_MAX) this.controller?.resume()
    this.waitingBytes = 0
    return arrived
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.read(); chunk; chunk = await this.read()) yield chunk
    } finally {
      this.destroy()
    }
  }

  /** Ends the exchange, if it has not ended by itself. */
  destroy(): void {
    if (!this.ended) this.controller?.abort(new errors.RequestAbortedError())
  }
}

/** Whether an exchange ended because the upstream was silent for too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
}
