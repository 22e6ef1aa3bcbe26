const BEAT = 'alive'
const BEAT_MS = 1000
/** A worker without a heartbeat for this time counts as hung. */
const SILENT_MAX_MS = 10_000
/** The same limit for a worker that does not listen yet. Loading its modules can block its event loop. */
const START_MAX_MS = 60_000
/** Time between two checks. */
export const CHECK_MS = 1000
/** If the time between two checks is longer, the supervisor itself was paused. */
const PAUSED_MS = 3 * CHECK_MS

/** Sends heartbeats from a worker's event loop to the supervisor. Returns a function that stops the heartbeats. */
export function sendHeartbeats(): () => void {
  // The callback ignores the error of a closed channel: the supervisor has ended, and the worker ends by itself.
  const timer = setInterval(() => process.connected && process.send?.(BEAT, undefined, undefined, () => {}), BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export const isHeartbeat = (message: unknown): boolean => message === BEAT

/** The times of the workers' last heartbeats, in the supervisor. */
interface Heartbeats<Worker> {
  onStart(worker: Worker): void
  /** Must be called when the worker listens. The worker has loaded all modules then, so its limit becomes shorter. */
  onListening(worker: Worker): void
  onHeartbeat(worker: Worker): void
  onExit(worker: Worker): void
  /** Returns the hung workers. Must be called every `CHECK_MS`. */
  hungWorkers(): Worker[]
}

/** Creates the record of heartbeats. `now` returns milliseconds of a monotonic clock. */
export function createHeartbeats<Worker>(now: () => number = () => performance.now()): Heartbeats<Worker> {
  const workers = new Map<Worker, { seenAt: number; limitMs: number }>()
  let checkedAt = now()
  return {
    onStart: (worker) => void workers.set(worker, { seenAt: now(), limitMs: START_MAX_MS }),
    onListening: (worker) => void workers.set(worker, { seenAt: now(), limitMs: SILENT_MAX_MS }),
    onHeartbeat(worker) {
      const heartbeat = workers.get(worker)
      if (heartbeat) heartbeat.seenAt = now()
    },
    onExit: (worker) => void workers.delete(worker),
    hungWorkers() {
      const at = now()
      const wasPaused = at - checkedAt > PAUSED_MS
      checkedAt = at
      // Heartbeats that arrived during the pause have not been read yet.
      if (wasPaused) for (const heartbeat of workers.values()) heartbeat.seenAt = at
      return [...workers].filter(([, { seenAt, limitMs }]) => at - seenAt > limitMs).map(([worker]) => worker)
    },
  }
}
