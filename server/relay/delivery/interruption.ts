import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

const ignore = (): void => {}

/** Why a relay is ended before the upstream is done. */
export type Cut = 'client-gone' | 'stopping' | 'quota'

/** Replies that their clients do not want any more, although the connection lasts. */
const CANCELLED = new WeakSet<ServerResponse>()

/** Ends a relay by its reply at once, whatever may go on after a disconnect. */
export function cancelReply(response: ServerResponse): void {
  CANCELLED.add(response)
  response.destroy()
}

/**
 * What can end a relay from outside: the client disconnects, or the gateway stops. Each attempt listens on `signal` (undici
 * takes an emitter of `abort`; an AbortSignal for each request costs several times as much).
 */
export class Interruption extends EventEmitter {
  cause: Cut | undefined
  /** The client gets nothing more, whether or not the upstream is read on. */
  isDisconnected = false
  private completeMs = 0
  private isClosed = false
  private deadline: NodeJS.Timeout | undefined

  constructor(private readonly response: ServerResponse) {
    super()
    this.setMaxListeners(0)
    if (response.destroyed) this.disconnect()
    response.on('close', () => this.connectionClosed())
    // A write to a connection that has just closed; the close itself tells.
    response.on('error', ignore)
  }

  get signal(): EventEmitter {
    return this
  }

  private connectionClosed(): void {
    if (this.response.writableFinished) return
    if (CANCELLED.has(this.response)) this.completeMs = 0
    this.disconnect()
  }

  /** From now on a disconnect does not end the relay at once, but after that time at the latest. */
  completeWithin(ms: number): void {
    this.completeMs = ms
  }

  /** The client is gone. */
  disconnect(): void {
    if (this.isDisconnected) return
    this.isDisconnected = true
    if (this.completeMs === 0) this.cut('client-gone')
    else if (!this.isClosed) this.deadline = setTimeout(() => this.cut('client-gone'), this.completeMs).unref()
  }

  cut(cause: Cut): void {
    if (this.cause) return
    this.cause = cause
    this.emit('abort')
  }

  /** Ends one attempt, while the relay goes on to the next. */
  endAttempt(): void {
    this.emit('abort')
  }

  /** The upstream has been read: there is nothing left to end. */
  close(): void {
    this.isClosed = true
    if (this.deadline) clearTimeout(this.deadline)
  }
}
