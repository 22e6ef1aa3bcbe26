import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../../../core/errors.ts'

/**
 * Submissions that are under way. A client that leaves ends none of them: the upstream may have taken the task already, and
 * whoever looks for it later finds it. Only the gateway's own end does.
 */
export class Submissions {
  private readonly running = new Map<EventEmitter, Promise<unknown>>()
  private stopping = false

  /** `signal` emits `abort` when the gateway stops and its grace is over. Throws STOPPING. */
  async run<T>(work: (signal: EventEmitter) => Promise<T>): Promise<T> {
    if (this.stopping) throw new GatewayError('STOPPING')
    const signal = new EventEmitter()
    const promise = work(signal)
    this.running.set(signal, promise)
    try {
      return await promise
    } finally {
      this.running.delete(signal)
    }
  }

  /** Refuses new ones, and resolves when the others have ended: by themselves for `graceMs`, and then at once. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true
    const finished = Promise.allSettled(this.running.values())
    const grace = new AbortController()
    const late = sleep(graceMs, undefined, { signal: grace.signal }).then(
      () => {
        for (const signal of this.running.keys()) signal.emit('abort')
      },
      () => {}, // All ended in time.
    )
    await finished
    grace.abort()
    await late
  }
}
