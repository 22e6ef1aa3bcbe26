const BEAT = 'alive'
const BEAT_MS = 1000
/** A worker whose event loop was silent for this long is hung. */
const SILENT_MAX_MS = 10_000
/** Loading all modules can block the event loop for a while. */
const START_MAX_MS = 60_000
/** Between two checks. A much longer gap means that the supervisor itself was paused. */
export const CHECK_MS = 1000
const PAUSED_MS = 3 * CHECK_MS

/** In a worker: sends heartbeats to the supervisor from the event loop. Returns a function that stops them. */
export function sendHeartbeats(): () => void {
  // With a callback, a closed channel is not an uncaught error: the supervisor is gone, and the worker ends by itself.
  const timer = setInterval(() => process.connected && process.send?.(BEAT, undefined, undefined, () => {}), BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export const isHeartbeat = (message: unknown): boolean => message === BEAT

/** In the supervisor: the time of each worker's last heartbeat. */
export interface Heartbeats<Worker> {
  started(worker: Worker): void
  /** The worker has loaded all modules. */
  listens(worker: Worker): void
  heard(worker: Worker): void
  gone(worker: Worker): void
  /** Returns the hung workers. Call it every `CHECK_MS`. */
  hung(): Worker[]
}

/** `now`: milliseconds of a monotonic clock. */
export function createHeartbeats<Worker>(now: () => number = () => performance.now()): Heartbeats<Worker> {
  const workers = new Map<Worker, { seenAt: number; limitMs: number }>()
  let checkedAt = now()
  return {
    started: (worker) => void workers.set(worker, { seenAt: now(), limitMs: START_MAX_MS }),
    listens: (worker) => void workers.set(worker, { seenAt: now(), limitMs: SILENT_MAX_MS }),
    heard(worker) {
      const entry = workers.get(worker)
      if (entry) entry.seenAt = now()
    },
    gone: (worker) => void workers.delete(worker),
    hung() {
      const at = now()
      const wasPaused = at - checkedAt > PAUSED_MS
      checkedAt = at
      // Heartbeats that arrived during the pause have not been read yet.
      if (wasPaused) for (const entry of workers.values()) entry.seenAt = at
      return [...workers].filter(([, { seenAt, limitMs }]) => at - seenAt > limitMs).map(([worker]) => worker)
    },
  }
}
