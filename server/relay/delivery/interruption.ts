import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../../core/errors.ts'

const ignore = (): void => {}

/** The reason to end a relay before the upstream has sent its whole reply. */
export type AbortReason = 'client-gone' | 'stopping' | 'quota'

/** Replies that `cancelReply` has cancelled. */
const CANCELLED = new WeakSet<ServerResponse>()

/** Ends the relay of a reply at once. The rest of the upstream's reply is not read. */
export function cancelReply(response: ServerResponse): void {
  CANCELLED.add(response)
  response.destroy()
}

/**
 * Ends a relay early, because the client disconnects, the gateway stops, or the quota is used up. Attempts listen for
 * `abort` on `signal`. It is an EventEmitter, which undici accepts, because an AbortSignal per request would cost
 * several times as much.
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
    response.on('close', () => this.connectionClosed())
    // Ignore errors. After a write to a closed connection, `close` is emitted too.
    response.on('error', ignore)
  }

  /** Whether the relay must end. Then its request leaves the queue for limits. */
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

  /** Delays the abort after a disconnect by `ms`. Without a call, a disconnect aborts the relay at once. */
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
   * is stopping. `wantedQuota` is the quota of the relay's hold.
   */
  errorFor(wantedQuota: number): GatewayError | undefined {
    if (this.cause === 'stopping') return new GatewayError('STOPPING')
    if (this.cause !== 'quota' || this.isDisconnected) return undefined
    return new GatewayError('INSUFFICIENT_QUOTA', { needed: wantedQuota, available: 0 })
  }

  /** Call it after the upstream was read to its end. Stops the timer that aborts the relay after a disconnect. */
  close(): void {
    this.isClosed = true
    if (this.deadline) clearTimeout(this.deadline)
  }
}
