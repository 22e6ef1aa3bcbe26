/** Tracks pending requests to upstreams, so that the gateway waits for them when it closes. */
export interface PendingCalls {
  /** Aborts when the gateway closes. */
  readonly signal: AbortSignal
  /** Makes `close` wait for the promise, and returns it. */
  track<T>(work: Promise<T>): Promise<T>
  /** Aborts `signal` and waits for all tracked requests. */
  close(): Promise<void>
}

export function createUnderWay(): PendingCalls {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: stopping.signal,
    track(work) {
      running.add(work)
      const removeWork = () => void running.delete(work)
      work.then(removeWork, removeWork)
      return work
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}
