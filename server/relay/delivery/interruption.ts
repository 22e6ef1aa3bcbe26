import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../../core/errors.ts'

const ignore = (): void => {}

/** The reason to end a relay before the upstream is done. */
export type AbortReason = 'client-gone' | 'stopping' | 'quota'

/** Cancelled replies whose connection stays open. */
const CANCELLED = new WeakSet<ServerResponse>()

/** Ends a relay at once through its reply, without reading the upstream to its end. */
export function cancelReply(response: ServerResponse): void {
  CANCELLED.add(response)
  response.destroy()
}

/**
 * Ends a relay from outside: the client disconnects, or the gateway stops. Each attempt listens on `signal` (undici accepts an
 * emitter of `abort`; an AbortSignal per request costs several times as much).
 */
export class Interruption extends EventEmitter {
  cause: AbortReason | undefined
  /** The client gets nothing more, even if the upstream is still being read. */
  isDisconnected = false
  private completeMs = 0
  private isClosed = false
  private deadline: NodeJS.Timeout | undefined

  constructor(private readonly response: ServerResponse) {
    super()
    this.setMaxListeners(0)
    if (response.destroyed) this.disconnect()
    response.on('close', () => this.connectionClosed())
    // A write to a closed connection also emits `close`, which is handled.
    response.on('error', ignore)
  }

  /** Whether no reply is wanted any more: a request in a queue leaves it. */
  isGone(): boolean {
    return this.isDisconnected || this.cause !== undefined
  }

  get signal(): EventEmitter {
    return this
  }

  private connectionClosed(): void {
    if (this.response.writableFinished) return
    if (CANCELLED.has(this.response)) this.completeMs = 0
    this.disconnect()
  }

  /** From now on, a disconnect aborts the relay only after this time. */
  completeWithin(ms: number): void {
    this.completeMs = ms
  }

  /** Marks the client as disconnected. */
  disconnect(): void {
    if (this.isDisconnected) return
    this.isDisconnected = true
    if (this.completeMs === 0) this.abort('client-gone')
    else if (!this.isClosed) this.deadline = setTimeout(() => this.abort('client-gone'), this.completeMs).unref()
  }

  abort(cause: AbortReason): void {
    if (this.cause) return
    this.cause = cause
    this.emit('abort')
  }

  /** Ends one attempt; the relay continues with the next. */
  endAttempt(): void {
    this.emit('abort')
  }

  /**
   * Returns the error for a client that waits for an aborted relay; undefined if it disconnected. `wantedQuota` is the quota of
   * the relay's hold.
   */
  errorFor(wantedQuota: number): GatewayError | undefined {
    if (this.cause === 'stopping') return new GatewayError('STOPPING')
    if (this.cause !== 'quota' || this.isDisconnected) return undefined
    return new GatewayError('INSUFFICIENT_QUOTA', { needed: wantedQuota, available: 0 })
  }

  /** The upstream was read to its end; later disconnects have no effect. */
  close(): void {
    this.isClosed = true
    if (this.deadline) clearTimeout(this.deadline)
  }
}
