import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for all that runs now. What has not ended after `graceMs` is told to end (`cut`), and waited for all the same. */
export async function finishWithin(
  graceMs: number,
  running: Iterable<Promise<unknown>>,
  cut: () => void,
): Promise<void> {
  const finished = Promise.allSettled(running)
  const grace = new AbortController()
  const late = sleep(graceMs, undefined, { signal: grace.signal }).then(cut, () => {}) // Rejects when all was finished in time.
  await finished
  grace.abort()
  await late
}
