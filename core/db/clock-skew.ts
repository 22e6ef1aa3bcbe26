import { databaseTimeMs } from './clock.ts'
import type { Database } from './database.ts'

const FRESH_MS = 10_000
/** Largest skew without a warning. Token expiry and log times use the process's clock. */
export const CLOCK_SKEW_MAX_MS = 10_000

/**
 * Measures the difference between the database's clock and the clock of this process. `now` returns the time of this
 * process in milliseconds.
 */
export function createClockSkew({ kind, reader }: Pick<Database, 'kind' | 'reader'>, now: () => number = Date.now) {
  let clockSkewMs: number | undefined
  let measuredAt = 0
  return {
    /**
     * Milliseconds by which the database's clock is ahead (negative: behind). Undefined before the first measurement.
     */
    get clockSkewMs(): number | undefined {
      return clockSkewMs
    },
    /** Returns the skew, at most ten seconds old. Throws database errors. */
    async measure(): Promise<number> {
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
