import { setTimeout as sleep } from 'node:timers/promises'

/** Pace of a bulk operation next to relays, which wait for its locks. */
export interface Pace {
  /** Target duration of a transaction. */
  targetMs: number
  /** Length of the pause, as a multiple of the batch's duration. */
  restFactor: number
  /** Minimum of rows per batch. */
  rowsMin?: number
  /** Work during the pause, which waits for its end. */
  inPause?: () => Promise<unknown>
}

const GENTLE: Pace = { targetMs: 8, restFactor: 2 }
/**
 * With SQLite a batch first waits for the writer, so the pauses are longer. Batches of 15 ms with equal pauses made the p99 of
 * small writes two to four times as high. On a busy machine most of a batch's time is that wait: fewer rows would not shorten it,
 * and the whole operation would take too long.
 */
export const ON_SQLITE: Pace = { targetMs: 8, restFactor: 2, rowsMin: 400 }
const ROWS_FIRST = 200
const ROWS_MIN = 20
const ROWS_MAX = 5000
/** Minimum time for other writers between batches. */
const PAUSE_MIN_MS = 5

/**
 * Runs a bulk operation in short transactions with pauses. `work` handles at most `rowsMax` rows and returns their number; a
 * smaller number ends the operation. `rowsMax` adapts to the duration of the batches. Returns the total number of rows.
 */
export async function inShortBatches(
  work: (rowsMax: number) => Promise<number>,
  { targetMs, restFactor, rowsMin = ROWS_MIN, inPause }: Pace = GENTLE,
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
    // At most doubled, since one fast batch says little about the next.
    const fitting = Math.min(rowsMax * 2, Math.floor((rowsMax * targetMs) / Math.max(tookMs, 1)))
    rowsMax = Math.min(ROWS_MAX, Math.max(rowsMin, fitting))
  }
}
