import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../../core/errors.ts'

const ignore = (): void => {}

/** The reason to end a relay before the upstream has sent its whole reply. */
export type AbortReason = 'client-gone' | 'stopping' | 'quota'

/** Replies that `cancelReply` has cancelled. */
const CANCELLED = new WeakSet<ServerResponse>()

/** Ends the relay of a reply at once, without reading the upstream to its end. */
export function cancelReply(response: ServerResponse): void {
  CANCELLED.add(response)
  response.destroy()
}

/**
 * Ends a relay early: because the client disconnects, the gateway stops, or the quota is used up. Each attempt listens for
 * `abort` on `signal`, which is an EventEmitter. undici accepts one, and an AbortSignal per request would cost several times as
 * much.
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
    // Ignore errors: a write to a closed connection also emits `close`.
    response.on('error', ignore)
  }

  /** Whether the relay must end, so that its request leaves a queue. */
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

  /** Delays the abort after a disconnect by `ms`. Without this call, a disconnect aborts the relay at once. */
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

  /** Ends the running attempt. The relay may continue with another attempt. */
  endAttempt(): void {
    this.emit('abort')
  }

  /**
   * Returns the error for the client of an aborted relay; undefined if the client has disconnected and the gateway is not
   * stopping. `wantedQuota` is the quota of the relay's hold.
   */
  errorFor(wantedQuota: number): GatewayError | undefined {
    if (this.cause === 'stopping') return new GatewayError('STOPPING')
    if (this.cause !== 'quota' || this.isDisconnected) return undefined
    return new GatewayError('INSUFFICIENT_QUOTA', { needed: wantedQuota, available: 0 })
  }

  /** Call it when the upstream has been read to its end. Stops the deadline after a disconnect; later disconnects start none. */
  close(): void {
    this.isClosed = true
    if (this.deadline) clearTimeout(this.deadline)
  }
}
