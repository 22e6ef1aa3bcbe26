import { setTimeout as sleep } from 'node:timers/promises'

/** A stopping gateway waits this long for further requests after its last work has ended. */
const QUIET_MS = 1000

/** Work that a stopping gateway waits for, such as relays, sessions or submissions. */
export interface Stoppable {
  /** Returns a promise for each running piece of work. It settles when the work ends. */
  running(): Iterable<Promise<unknown>>
  /** From now on, rejects new work with STOPPING. Ends running work early. */
  cut(): void
}

/**
 * Waits for all work, including new work. Returns when no work has run for `QUIET_MS`, or when all work and all
 * connections (`closed`) have ended. After `graceMs`, rejects new work and ends the running work early, but still waits
 * for its end.
 */
export async function drainWithin(
  { graceMs, closed }: { graceMs: number; closed: Promise<unknown> },
  works: readonly Stoppable[],
): Promise<void> {
  const deadline = performance.now() + graceMs
  const running = () => works.flatMap((work) => [...work.running()])
  const cut = () => {
    for (const work of works) work.cut()
  }
  const graceTimer = setTimeout(cut, graceMs)
  for (;;) {
    for (let promises = running(); promises.length > 0; promises = running()) await Promise.allSettled(promises)
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) break
    await waitQuietly(Math.min(QUIET_MS, leftMs), closed)
    if (running().length === 0) break
  }
  clearTimeout(graceTimer)
  cut()
}

/** Resolves after `ms`, or earlier when `closed` resolves. */
async function waitQuietly(ms: number, closed: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([closed, sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
}
