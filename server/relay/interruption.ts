import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Why a relay is ended before the upstream is done. */
export type Cut = 'client-gone' | 'stopping' | 'quota'

/**
 * What can end a relay from outside: the client leaves, or the gateway stops. Each attempt listens on `signal` (undici
 * takes an emitter of `abort`; an AbortSignal for each request costs several times as much).
 */
export class Interruption {
  readonly signal = new EventEmitter()
  cause: Cut | undefined

  constructor(response: ServerResponse) {
    this.signal.setMaxListeners(0)
    if (response.destroyed) this.cause = 'client-gone'
    response.once('close', () => {
      if (!response.writableFinished) this.cut('client-gone')
    })
  }

  cut(cause: Cut): void {
    if (this.cause) return
    this.cause = cause
    this.signal.emit('abort')
  }

  /** Ends one attempt, while the relay goes on to the next. */
  endAttempt(): void {
    this.signal.emit('abort')
  }
}
