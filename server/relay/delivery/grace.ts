import { setTimeout as sleep } from 'node:timers/promises'

/** How long a stopping gateway waits for a client's next request after its last one has ended. */
const QUIET_MS = 1000

/** Work that a stopping gateway waits for: relays, sessions, submissions. */
export interface Stoppable {
  /** The work that is running now. */
  running(): Iterable<Promise<unknown>>
  /** Rejects new work with STOPPING, and ends running work. */
  cut(): void
}

/**
 * Waits for all work, new work included, until nothing has run for a moment or no connection is left (`closed`). Aborts the
 * work after `graceMs`, but still waits for it. Finally rejects new work.
 */
export async function drainWithin(
  { graceMs, closed }: { graceMs: number; closed: Promise<unknown> },
  works: readonly Stoppable[],
): Promise<void> {
  const until = performance.now() + graceMs
  const running = () => works.flatMap((work) => [...work.running()])
  const cut = () => {
    for (const work of works) work.cut()
  }
  const late = setTimeout(cut, graceMs)
  for (;;) {
    for (let promises = running(); promises.length > 0; promises = running()) await Promise.allSettled(promises)
    const leftMs = until - performance.now()
    if (leftMs <= 0) break
    await quiet(Math.min(QUIET_MS, leftMs), closed)
    if (running().length === 0) break
  }
  clearTimeout(late)
  cut()
}

/** Resolves after `ms`, or as soon as no connection is open. */
async function quiet(ms: number, closed: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([closed, sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
}
