import type { Database } from './database.ts'

const NOW_MS = {
  // PostgreSQL's now() would return the time when the transaction began.
  postgres: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
  sqlite: "SELECT unixepoch('subsec') * 1000 AS now",
}
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
      const result = await reader.raw(NOW_MS[kind])
      const [row] = kind === 'postgres' ? result.rows : result
      // Assume that the database read its clock half-way through the query.
      clockSkewMs = Math.round(Number(row.now) - (before + now()) / 2)
      measuredAt = since
      return clockSkewMs
    },
  }
}
