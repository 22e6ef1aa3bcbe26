import { databaseTimeMs } from './clock.ts'
import type { Database } from './database.ts'

const FRESH_MS = 10_000
/** Largest skew without a warning. Token expiry and log times use the process's clock. */
export const CLOCK_SKEW_MAX_MS = 10_000

/** Difference between the database's clock and the clock of this process. */
export interface ClockSkew {
  /** Milliseconds by which the database's clock is ahead (negative: behind). Undefined before the first measurement. */
  readonly clockSkewMs: number | undefined
  /** Returns the skew, at most ten seconds old. Throws database errors. */
  measure(): Promise<number>
}

/** `now` returns the time of this process in milliseconds. */
export function createClockSkew(
  { kind, reader }: Pick<Database, 'kind' | 'reader'>,
  now: () => number = Date.now,
): ClockSkew {
  let clockSkewMs: number | undefined
  let measuredAt = 0
  return {
    get clockSkewMs() {
      return clockSkewMs
    },
    async measure() {
      const since = performance.now()
      if (clockSkewMs !== undefined && since - measuredAt < FRESH_MS) return clockSkewMs
      const before = now()
      const databaseMs = await databaseTimeMs(reader, kind)
      // Assume that the database read its clock half-way through the query.
      clockSkewMs = Math.round(databaseMs - (before + now()) / 2)
      measuredAt = since
      return clockSkewMs
    },
  }
}
