import type { EventEmitter } from 'node:events'
import type { Agent, IncomingMessage } from 'node:http'
import { errors } from 'undici'
import WebSocket from 'ws'
import type { UpstreamRequest } from '../providers/provider.ts'
import { EVENT_BYTES_MAX } from './sse.ts'
import { UpstreamBody, type UpstreamReply } from './upstream-reply.ts'

/** Close codes for a normal end, and for an end without a code: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const NORMAL_CLOSE_CODES = new Set([1000, 1005])

interface SocketOptions {
  /** Emits `abort` to close the socket at once. */
  readonly signal: EventEmitter
  /** Time limit in ms for the upgrade. 0 means no limit. */
  readonly headersTimeoutMs: number
  /** Maximum time in ms between two frames. 0 means no limit. */
  readonly idleTimeoutMs: number
  readonly agent?: Agent | undefined
}

/**
 * Runs one exchange over a websocket as if it were an HTTP exchange. The request's body is the only frame that is sent.
 *
 * Each received frame is a line of the reply's body. If the upstream rejects the upgrade, its HTTP response is the
 * reply.
 */
export function openSocket(request: UpstreamRequest, options: SocketOptions): Promise<UpstreamReply> {
  return new Promise((resolve, reject) => {
    const exchange = new SocketExchange(request, options, reject)
    exchange.onReply = resolve
  })
}

class SocketExchange {
  onReply: (reply: UpstreamReply) => void = () => undefined
  private readonly body = new UpstreamBody()
  private readonly socket: WebSocket
  private failure: Error | undefined
  private idleTimer: NodeJS.Timeout | undefined
  private ended = false

  constructor(
    { url, headers, body }: UpstreamRequest,
    private readonly options: SocketOptions,
    private readonly reject: (reason: unknown) => void,
  ) {
    const { signal, headersTimeoutMs, agent } = options
    this.socket = new WebSocket(url, {
      headers,
      // For the library, 0 does not mean "no limit", so the option is omitted.
      ...(headersTimeoutMs > 0 && { handshakeTimeout: headersTimeoutMs }),
      maxPayload: EVENT_BYTES_MAX,
      perMessageDeflate: false,
      followRedirects: false,
      ...(agent && { agent }),
    })
    this.body.controller = this.controller()
    signal.on('abort', this.abort)
    this.socket
      .on('open', () => {
        this.restartIdleTimer()
        // Streamed bodies are not supported over sockets.
        if (body !== null && typeof body !== 'function') this.socket.send(body.toString())
        this.onReply({ statusCode: 200, headers: { 'content-type': 'application/x-ndjson' }, body: this.body })
      })
      .on('message', (frame) => {
        this.restartIdleTimer()
        // A line break would end the line. Outside of escapes, JSON contains line breaks only as white space.
        this.body.push(Buffer.from(`${frame.toString().replace(/[\r\n]+/g, ' ')}\n`))
      })
      .on('unexpected-response', (_, response) => this.onRejectedUpgrade(response))
      .on('error', (error) => this.fail(isHandshakeTimeout(error) ? new errors.HeadersTimeoutError() : error))
      .on('close', (code) => {
        const isNormal = NORMAL_CLOSE_CODES.has(code)
        const closeError = isNormal ? undefined : new errors.SocketError(`The upstream closed with code ${code}`)
        this.end(this.failure ?? closeError)
      })
  }

  private readonly abort = (): void => this.fail(new errors.RequestAbortedError())

  private restartIdleTimer(): void {
    clearTimeout(this.idleTimer)
    const { idleTimeoutMs } = this.options
    if (idleTimeoutMs > 0) this.idleTimer = setTimeout(() => this.fail(new errors.BodyTimeoutError()), idleTimeoutMs)
  }

  private onRejectedUpgrade(response: IncomingMessage): void {
    this.onReply({ statusCode: response.statusCode ?? 502, headers: response.headers, body: this.body })
    response
      .on('data', (chunk: Buffer) => this.body.push(chunk))
      .on('end', () => {
        this.end(undefined)
        this.socket.terminate()
      })
      .on('error', (error) => this.fail(error))
  }

  private fail(error: Error): void {
    this.failure ??= error
    this.reject(this.failure)
    this.socket.terminate()
    // A socket whose upgrade failed may not emit `close`, so end the body at once.
    this.end(this.failure)
  }

  /** Ends the exchange. Only the first call has an effect. */
  private end(failure: Error | undefined): void {
    if (this.ended) return
    this.ended = true
    clearTimeout(this.idleTimer)
    this.options.signal.off('abort', this.abort)
    this.body.end(failure)
  }

  /** Returns the controller that lets the body pause or abort the exchange. */
  private controller() {
    const { socket } = this
    const wasAborted = () => this.failure instanceof errors.RequestAbortedError
    return {
      abort: this.abort,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      get aborted() {
        return wasAborted()
      },
      get paused() {
        return socket.isPaused
      },
      reason: null,
    }
  }
}

function isHandshakeTimeout({ message }: Error): boolean {
  return message === 'Opening handshake has timed out'
}
