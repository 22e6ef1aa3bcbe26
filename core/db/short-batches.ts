import { setTimeout as sleep } from 'node:timers/promises'

/** How a bulk operation goes on beside relays, which wait for its locks. */
export interface Pace {
  /** How long a transaction should take. */
  targetMs: number
  /** How much longer than a batch the pause after it is. */
  restFactor: number
  /** The fewest rows of a batch. */
  rowsMin?: number
  /** What is done in the pause, which waits for it. */
  inPause?: () => Promise<unknown>
}

const GENTLE: Pace = { targetMs: 8, restFactor: 2 }
/**
 * With SQLite a batch waits for the writer first, and is paid for with longer pauses. Beside small writes, batches of 15 ms with pauses
 * as long made their p99 twice to four times that of these. On a busy machine much of the time of a batch is that wait: fewer
 * rows would not make it shorter, and the whole would take too long.
 */
export const ON_SQLITE: Pace = { targetMs: 8, restFactor: 2, rowsMin: 400 }
const ROWS_FIRST = 200
const ROWS_MIN = 20
const ROWS_MAX = 5000
/** At least so long others may write before the next batch. */
const PAUSE_MIN_MS = 5

/**
 * Runs a bulk operation in short transactions: `work` handles at most so many rows and returns how many it did; fewer than that
 * ends it. The number adapts to how long a batch takes, and each batch is followed by a pause. Returns how many rows
 * were handled.
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
    // At most doubled: a batch that happened to be fast says little about the next.
    const fitting = Math.min(rowsMax * 2, Math.floor((rowsMax * targetMs) / Math.max(tookMs, 1)))
    rowsMax = Math.min(ROWS_MAX, Math.max(rowsMin, fitting))
  }
}
