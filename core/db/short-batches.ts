import { setTimeout as sleep } from 'node:timers/promises'

/** A transaction of a bulk operation should take this long: relays wait for its locks, and on SQLite for the writer. */
const TARGET_MS = 8
/** Of the time, so much is left to others: one part in three is spent on batches. */
const REST_FACTOR = 2
const ROWS_FIRST = 200
const ROWS_MIN = 20
const ROWS_MAX = 5000
/** At least so long others may write before the next batch. */
const PAUSE_MIN_MS = 5

/**
 * Runs a bulk operation in short transactions: `work` handles at most so many rows and returns how many it did; fewer than that
 * ends it. The number adapts to how long a batch takes, and each batch is followed by a pause twice as long as itself.
 * Returns how many rows were handled.
 */
export async function inShortBatches(work: (rowsMax: number) => Promise<number>): Promise<number> {
  let total = 0
  let rowsMax = ROWS_FIRST
  for (;;) {
    const startedAt = performance.now()
    const rows = await work(rowsMax)
    const tookMs = performance.now() - startedAt
    total += rows
    if (rows < rowsMax) return total
    await sleep(Math.max(PAUSE_MIN_MS, REST_FACTOR * tookMs))
    // At most doubled: a batch that happened to be fast says little about the next.
    const fitting = Math.min(rowsMax * 2, Math.floor((rowsMax * TARGET_MS) / Math.max(tookMs, 1)))
    rowsMax = Math.min(ROWS_MAX, Math.max(ROWS_MIN, fitting))
  }
}
