/** What upstreams are being asked, so that nothing of it outlives the gateway. */
export interface UnderWay {
  /** Aborts when the gateway closes: whoever can end early listens to it. */
  readonly signal: AbortSignal
  /** Answers the same promise, and has `close` wait for it. */
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
