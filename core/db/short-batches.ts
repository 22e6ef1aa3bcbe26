import { setTimeout as sleep } from 'node:timers/promises'

/** The pace of a bulk operation that runs while relays wait for its locks. */
export interface BatchPace {
  /** Target duration of a transaction, in milliseconds. */
  targetMs: number
  /** Length of the pause, as a multiple of the batch's duration. */
  restFactor: number
  /** Minimum number of rows per batch. */
  rowsMin?: number
  /** Work to run during each pause. The next batch waits for the end of this work. */
  inPause?: () => Promise<unknown>
}

const GENTLE: BatchPace = { targetMs: 8, restFactor: 2 }
/**
 * The pace on SQLite, where a batch first waits for the writer. Pauses are longer than batches. With batches of 15 ms
 * and equal pauses, the p99 of small writes was two to four times higher. `rowsMin` is high, because on a busy machine
 * a batch spends most of its time waiting for the writer. With fewer rows per batch, the whole operation would take too
 * long.
 */
export const ON_SQLITE: BatchPace = { targetMs: 8, restFactor: 2, rowsMin: 400 }
const ROWS_FIRST = 200
const ROWS_MIN = 20
const ROWS_MAX = 5000
/** Minimum pause between batches, in which other writers run. */
const PAUSE_MIN_MS = 5

/**
 * Runs a bulk operation in short transactions with pauses. `work` handles at most `rowsMax` rows and returns their
 * number. The operation ends when `work` handles fewer rows. `rowsMax` adapts to the duration of the batches. Returns
 * the total number of rows.
 */
export async function inShortBatches(
  work: (rowsMax: number) => Promise<number>,
  { targetMs, restFactor, rowsMin = ROWS_MIN, inPause }: BatchPace = GENTLE,
): Promise<number> {
  let total = 0
  let rowsMax = Math.max(rowsMin, ROWS_FIRST)
  for (;;) {
    const startedAt = performance.now()
    const rows = await work(rowsMax)
    const tookMs = performance.now() - startedAt
    total += rows
    if (rows < rowsMax) return total
    await Promise.all([sleep(Math.max(PAUSE_MIN_MS, restFactor * tookMs)), inPause?.()])
    // At most double the rows, because one fast batch says little about the next.
    const fitting = Math.min(rowsMax * 2, Math.floor((rowsMax * targetMs) / Math.max(tookMs, 1)))
    rowsMax = Math.min(ROWS_MAX, Math.max(rowsMin, fitting))
  }
}
