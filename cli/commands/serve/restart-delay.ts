const FIRST_MS = 500
const MAX_MS = 30_000
/** A worker that dies within this time may be in a crash loop. */
const SHORT_LIFE_MS = 60_000

/** Computes how long to wait before a worker of one slot is restarted. */
export interface RestartDelay {
  /**
   * Returns the milliseconds to wait before the restart of a worker that ran for `livedMs`: 0 for the first worker and
   * after a long life; else 500 ms, doubled after each further short life, up to 30 seconds.
   */
  after(livedMs: number): number
}

export function createRestartDelay(): RestartDelay {
  let shortLives = 0
  return {
    after(livedMs) {
      shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 1
      return shortLives === 1 ? 0 : Math.min(FIRST_MS * 2 ** (shortLives - 2), MAX_MS)
    },
  }
}
