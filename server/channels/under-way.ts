/** Pending requests to upstreams, so that none outlives the gateway. */
export interface UnderWay {
  /** Aborts when the gateway closes. */
  readonly signal: AbortSignal
  /** Returns the same promise, and makes `close` wait for it. */
  track<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: stopping.signal,
    track(work) {
      running.add(work)
      const gone = () => void running.delete(work)
      work.then(gone, gone)
      return work
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}
