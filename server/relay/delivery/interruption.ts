import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../../core/errors.ts'

const ignore = (): void => {}

/** The reason to end a relay before the upstream has sent its whole reply. */
export type AbortReason = 'client-gone' | 'stopping' | 'quota'

const CANCELLED_REPLIES = new WeakSet<ServerResponse>()

/** Ends the relay of a reply at once. The rest of the upstream's reply is not read. */
export function cancelReply(response: ServerResponse): void {
  CANCELLED_REPLIES.add(response)
  response.destroy()
}

/**
 * Ends a relay early if the client disconnects, the gateway stops, or the quota is used up. Attempts listen for
 * `abort`. undici accepts an EventEmitter as signal. An AbortSignal per request would cost several times as much.
 */
export class Interruption extends EventEmitter {
  cause: AbortReason | undefined
  /** Whether the client has disconnected. The upstream may still be read. */
  isDisconnected = false
  private completeMs = 0
  private isClosed = false
  private deadline: NodeJS.Timeout | undefined

  constructor(private readonly response: ServerResponse) {
    super()
    this.setMaxListeners(0)
    if (response.destroyed) this.disconnect()
    response.on('close', () => this.onConnectionClosed())
    // Ignore errors. After a write to a closed connection, `close` is emitted too.
    response.on('error', ignore)
  }

  /** Whether the relay must end. If so, its request leaves the queue for limits. */
  isGone(): boolean {
    return this.isDisconnected || this.cause !== undefined
  }

  get signal(): EventEmitter {
    return this
  }

  private onConnectionClosed(): void {
    if (this.response.writableFinished) return
    if (CANCELLED_REPLIES.has(this.response)) this.completeMs = 0
    this.disconnect()
  }

  /** Delays the abort after a disconnect by `ms`. Without this delay, a disconnect aborts the relay at once. */
  completeWithin(ms: number): void {
    this.completeMs = ms
  }

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

  /** Ends the running attempt. The relay may continue with another attempt. */
  endAttempt(): void {
    this.emit('abort')
  }

  /**
   * Returns the error for the client of an aborted relay. Undefined if the client has disconnected, unless the gateway
   * is stopping. `heldQuota` is the quota of the relay's hold.
   */
  errorFor(heldQuota: number): GatewayError | undefined {
    if (this.cause === 'stopping') return new GatewayError('STOPPING')
    if (this.cause !== 'quota' || this.isDisconnected) return undefined
    return new GatewayError('INSUFFICIENT_QUOTA', { needed: heldQuota, available: 0 })
  }

  /** Stops the timer that aborts the relay after a disconnect. Must be called when the upstream was read to its end. */
  close(): void {
    this.isClosed = true
    if (this.deadline) clearTimeout(this.deadline)
  }
}
