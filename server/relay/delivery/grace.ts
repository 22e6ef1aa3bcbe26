import { setTimeout as sleep } from 'node:timers/promises'

/** Time that a stopping gateway waits for further requests after its last work has ended. */
const QUIET_MS = 1000

/** Work that a stopping gateway waits for, such as relays, sessions or submissions. */
export interface Stoppable {
  /** Returns a promise for each running piece of work. The promise settles when the work ends. */
  running(): Iterable<Promise<unknown>>
  /** From now on, rejects new work with STOPPING. Ends running work early. */
  stop(): void
}

/**
 * Waits for all work, including new work. Returns when no work has run for `QUIET_MS`, or when all work and all
 * connections (`closed`) have ended. After `graceMs`, rejects new work and ends the running work early, but still waits
 * for its end.
 */
export async function drainWithin(
  { graceMs, closed }: { graceMs: number; closed: Promise<unknown> },
  stoppables: readonly Stoppable[],
): Promise<void> {
  const deadline = performance.now() + graceMs
  const running = () => stoppables.flatMap((stoppable) => [...stoppable.running()])
  const cut = () => {
    for (const stoppable of stoppables) stoppable.stop()
  }
  const graceTimer = setTimeout(cut, graceMs)
  for (;;) {
    for (let promises = running(); promises.length > 0; promises = running()) await Promise.allSettled(promises)
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) break
    await waitForQuiet(Math.min(QUIET_MS, leftMs), closed)
    if (running().length === 0) break
  }
  clearTimeout(graceTimer)
  cut()
}

/** Resolves after `ms`, or earlier when `closed` resolves. */
async function waitForQuiet(ms: number, closed: Promise<unknown>): Promise<void> {
  const controller = new AbortController()
  await Promise.race([closed, sleep(ms, undefined, { signal: controller.signal }).catch(() => {})])
  controller.abort()
}
