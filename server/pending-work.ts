/** Tracks pending work, so that the gateway waits for it when the gateway closes. */
export interface PendingWork {
  /** Aborts when the gateway closes. */
  readonly signal: AbortSignal
  /** Makes `close` wait for the promise, and returns the promise. */
  track<T>(work: Promise<T>): Promise<T>
  /** Aborts `signal` and waits for all tracked work, also for work that is added during the wait. */
  close(): Promise<void>
}

export function createPendingWork(): PendingWork {
  const closing = new AbortController()
  const pending = new Set<Promise<unknown>>()
  return {
    signal: closing.signal,
    track(work) {
      pending.add(work)
      const removeWork = () => void pending.delete(work)
      work.then(removeWork, removeWork)
      return work
    },
    async close() {
      closing.abort()
      // The set may grow during this wait, because the runner of jobs adds a run only after the run has begun.
      while (pending.size > 0) await Promise.allSettled(pending)
    },
  }
}
