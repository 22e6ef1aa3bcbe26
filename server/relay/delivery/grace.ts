import { setTimeout as sleep } from 'node:timers/promises'

/** Time that a stopping gateway waits for a client's next request after the last request has ended. */
const QUIET_MS = 1000

/** A kind of work that a stopping gateway waits for, such as relays, sessions or submissions. */
export interface Stoppable {
  /** Returns a promise for each work that is running now; the promise settles when the work ends. */
  running(): Iterable<Promise<unknown>>
  /** From now on, rejects new work with STOPPING. Ends running work early. */
  cut(): void
}

/**
 * Waits for all work, including new work, until no work has run for `QUIET_MS`, or until no work runs and no connection is open
 * (`closed`). After `graceMs`, ends the running work early and rejects new work, but still waits until the running work has
 * ended.
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
