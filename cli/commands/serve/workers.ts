import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { EXIT } from '../../errors.ts'
import { stopRequested } from '../../run/signals.ts'
import { CHECK_MS, createHeartbeats, isHeartbeat } from './heartbeats.ts'
import { createMetricsHub } from './metrics-hub.ts'
import { createRestartDelay, type RestartDelay } from './restart-delay.ts'

/** Time that a worker has for its remaining writes after the grace period of streams. Then it is killed. */
const KILL_AFTER_MS = 10_000

/** The place of one worker. While a new worker replaces the previous one, the slot has two processes. */
interface Slot {
  readonly delay: RestartDelay
  worker?: Worker
  /** The replaced worker, which serves until `worker` listens. */
  previous?: Worker | undefined
}

/**
 * Runs `count` processes of this command until SIGINT or SIGTERM, then stops them and returns the exit code. Replaces
 * workers that die or hang. On SIGHUP, replaces all workers one by one. If a worker fails before all workers listen for
 * the first time, stops all workers, because a retry would also fail.
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
  // `cluster.workers` contains a dead worker until its IPC channel closes.
  const workers = () =>
    Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isDead() === false ? [worker] : []))
  const slots: readonly Slot[] = Array.from({ length: count }, () => ({ delay: createRestartDelay() }))
  const heartbeats = createHeartbeats<Worker>()
  const metrics = createMetricsHub<Worker>()
  const listening = new Set<Worker>()
  const restartTimers = new Set<NodeJS.Timeout>()
  let isAnnounced = false
  let isStopping = false
  let isReplacing = false

  const signalAll = (signal: NodeJS.Signals) => {
    for (const worker of workers()) worker.process.kill(signal)
  }
  const stop = () => {
    if (isStopping) return
    isStopping = true
    for (const timer of restartTimers) clearTimeout(timer)
    signalAll('SIGTERM')
    setTimeout(() => signalAll('SIGKILL'), stopGraceMs + KILL_AFTER_MS).unref()
  }
  const killHung = () => {
    for (const worker of heartbeats.hungWorkers()) {
      logger.error({ worker: worker.process.pid }, 'a worker hangs: it is killed')
      heartbeats.onExit(worker)
      worker.process.kill('SIGKILL')
    }
  }
  setInterval(killHung, CHECK_MS).unref()

  return new Promise((resolve) => {
    let exitCode: number = EXIT.ok

    function fork(slot: Slot): Worker {
      const startedAt = performance.now()
      const worker = cluster.fork()
      slot.worker = worker
      heartbeats.onStart(worker)
      metrics.onStart(worker)
      worker.on('message', (message) => {
        if (isHeartbeat(message)) heartbeats.onHeartbeat(worker)
        else metrics.onMessage(worker, message)
      })
      worker.once('listening', ({ port }) => {
        listening.add(worker)
        heartbeats.onListening(worker)
        if (isAnnounced || listening.size < count) return
        isAnnounced = true
        ready(port)
      })
      worker.once('exit', (code, signal) => {
        heartbeats.onExit(worker)
        metrics.onExit(worker)
        const hasServed = listening.delete(worker)
        if (isStopping) {
          // The exit code of a worker is not 0 if charges were not stored. Only a worker that has served has charges.
          if (hasServed && code !== EXIT.ok) exitCode = code ?? EXIT.failed
        } else if (!hasServed && !isAnnounced) {
          logger.error({ worker: worker.process.pid, code, signal }, 'a worker died')
          exitCode = code || EXIT.failed
          stop()
        } else onWorkerEnd(slot, worker, { code, signal, livedMs: performance.now() - startedAt })
        if (isStopping && workers().length === 0) resolve(exitCode)
      })
      return worker
    }

    /** Starts a new worker in the slot of an ended worker, unless the slot already has another worker. */
    function onWorkerEnd(
      slot: Slot,
      worker: Worker,
      { code, signal, livedMs }: { code: number; signal: string; livedMs: number },
    ): void {
      const line = { worker: worker.process.pid, code, signal }
      if (slot.worker !== worker) {
        if (slot.previous === worker) slot.previous = undefined
        if (code === EXIT.ok) logger.info(line, 'a worker was replaced')
        else logger.error(line, 'a worker that was replaced has failed')
        return
      }
      logger.error(line, 'a worker died')
      if (slot.previous) {
        slot.worker = slot.previous
        slot.previous = undefined
        return
      }
      const timer = setTimeout(() => {
        restartTimers.delete(timer)
        fork(slot)
      }, slot.delay.after(livedMs))
      restartTimers.add(timer)
    }

    /** Starts a new worker and then stops the old one in each slot in turn, so that requests are always served. */
    async function replaceAll(): Promise<void> {
      if (isReplacing || isStopping || !isAnnounced) return
      isReplacing = true
      logger.info('replacing all workers')
      for (const slot of slots) {
        const old = slot.worker
        if (isStopping || !old || old.isDead()) continue
        slot.previous = old
        if (!(await hasStarted(fork(slot)))) {
          logger.error('a new worker did not start: the others are not replaced')
          break
        }
        slot.previous = undefined
        await retire(old)
      }
      isReplacing = false
    }

    function hasStarted(worker: Worker): Promise<boolean> {
      return new Promise((done) => {
        worker.once('listening', () => done(true))
        worker.once('exit', () => done(false))
      })
    }

    function retire(worker: Worker): Promise<void> {
      return new Promise((done) => {
        if (worker.isDead()) return done()
        const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), stopGraceMs + KILL_AFTER_MS)
        worker.once('exit', () => {
          clearTimeout(killTimer)
          done()
        })
        worker.process.kill('SIGTERM')
      })
    }

    // On a terminal, SIGHUP means that the terminal was closed.
    if (!process.stdin.isTTY) process.on('SIGHUP', () => void replaceAll())
    void stopRequested((forced) => {
      signalAll('SIGKILL')
      process.exit(forced)
    }).then(() => {
      stop()
      if (workers().length === 0) resolve(exitCode)
    })
    for (const slot of slots) fork(slot)
  })
}
