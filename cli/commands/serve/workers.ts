import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { EXIT } from '../../errors.ts'
import { stopRequested } from '../../signals.ts'

const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 30_000
/** A worker that lived so long was well: its death starts the back-off anew. */
const WELL_AFTER_MS = 60_000
/** Beyond the grace that streams have, for what remains to be written. */
const KILL_AFTER_MS = 10_000

/**
 * Keeps `count` processes of this same command running until somebody asks to stop; then stops them all, and answers the
 * exit code. A worker that dies is replaced; one that cannot start in the first place ends them all, as nothing would come
 * of trying again.
 */
export async function superviseWorkers({
  count,
  stopGraceMs,
  logger,
  ready,
}: {
  count: number
  stopGraceMs: number
  logger: Logger
  /** Called once, when all workers listen. */
  ready: (port: number) => void
}): Promise<number> {
  // A dead worker stays listed until its channel is closed too, which may be later.
  const workers = () =>
    Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isDead() === false ? [worker] : []))
  const listening = new Set<Worker>()
  const waiting = new Set<NodeJS.Timeout>()
  let announced = false
  let stopping = false
  let failures = 0

  const signalAll = (signal: NodeJS.Signals) => {
    for (const worker of workers()) worker.process.kill(signal)
  }
  const stop = () => {
    if (stopping) return
    stopping = true
    for (const timer of waiting) clearTimeout(timer)
    signalAll('SIGTERM')
    setTimeout(() => signalAll('SIGKILL'), stopGraceMs + KILL_AFTER_MS).unref()
  }

  return new Promise((resolve) => {
    let exitCode: number = EXIT.ok

    function fork(): void {
      const startedAt = Date.now()
      const worker = cluster.fork()
      worker.once('listening', ({ port }) => {
        listening.add(worker)
        if (announced || listening.size < count) return
        announced = true
        ready(port)
      })
      worker.once('exit', (code, signal) => {
        const started = listening.delete(worker)
        if (!stopping) {
          logger.error({ worker: worker.process.pid, code, signal }, 'a worker died')
          if (started || announced) replace(startedAt)
          else {
            exitCode = code || EXIT.failed
            stop()
          }
        }
        if (stopping && workers().length === 0) resolve(exitCode)
      })
    }

    function replace(startedAt: number): void {
      failures = Date.now() - startedAt > WELL_AFTER_MS ? 0 : failures + 1
      const delay = Math.min(BACK_OFF_FIRST_MS * 2 ** (failures - 1), BACK_OFF_MAX_MS)
      const timer = setTimeout(() => {
        waiting.delete(timer)
        fork()
      }, delay)
      waiting.add(timer)
    }

    void stopRequested((forced) => {
      signalAll('SIGKILL')
      process.exit(forced)
    }).then(() => {
      stop()
      if (workers().length === 0) resolve(exitCode)
    })
    for (let started = 0; started < count; started++) fork()
  })
}
