const BEAT = 'alive'
const BEAT_MS = 1000
/** A worker that has sent no heartbeat for this time is hung. */
const SILENT_MAX_MS = 10_000
/** Like SILENT_MAX_MS, for a worker that does not listen yet, because loading all modules can block its event loop. */
const START_MAX_MS = 60_000
/** Time between two checks. If the time was much longer, the supervisor itself was paused. */
export const CHECK_MS = 1000
const PAUSED_MS = 3 * CHECK_MS

/** Sends heartbeats from a worker's event loop to the supervisor. Returns a function that stops the heartbeats. */
export function sendHeartbeats(): () => void {
  // The callback ignores the error of a closed channel. The supervisor has ended then, and the worker ends by itself.
  const timer = setInterval(() => process.connected && process.send?.(BEAT, undefined, undefined, () => {}), BEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export const isHeartbeat = (message: unknown): boolean => message === BEAT

/** Keeps the time of each worker's last heartbeat in the supervisor. */
interface Heartbeats<Worker> {
  started(worker: Worker): void
  /** Must be called when the worker listens, because the worker has then loaded all modules. */
  listens(worker: Worker): void
  heard(worker: Worker): void
  gone(worker: Worker): void
  /** Returns the hung workers. Must be called every `CHECK_MS`. */
  hung(): Worker[]
}

/** `now` returns milliseconds of a monotonic clock. */
export function createHeartbeats<Worker>(now: () => number = () => performance.now()): Heartbeats<Worker> {
  const workers = new Map<Worker, { seenAt: number; limitMs: number }>()
  let checkedAt = now()
  return {
    started: (worker) => void workers.set(worker, { seenAt: now(), limitMs: START_MAX_MS }),
    listens: (worker) => void workers.set(worker, { seenAt: now(), limitMs: SILENT_MAX_MS }),
    heard(worker) {
      const heartbeat = workers.get(worker)
      if (heartbeat) heartbeat.seenAt = now()
    },
    gone: (worker) => void workers.delete(worker),
    hung() {
      const at = now()
      const wasPaused = at - checkedAt > PAUSED_MS
      checkedAt = at
      // Heartbeats that arrived during the pause have not been read yet.
      if (wasPaused) for (const heartbeat of workers.values()) heartbeat.seenAt = at
      return [...workers].filter(([, { seenAt, limitMs }]) => at - seenAt > limitMs).map(([worker]) => worker)
    },
  }
}
