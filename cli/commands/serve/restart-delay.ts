const FIRST_MS = 500
const MAX_MS = 30_000
/** A worker that dies earlier may be in a crash loop. */
const SHORT_LIFE_MS = 60_000

/** Computes how long to wait before a worker of one slot is restarted. */
export interface RestartDelay {
  /**
   * Returns the milliseconds to wait after a worker has died that ran for `livedMs`: 0 after a single death, and more after each
   * further worker that ran only for a short time.
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
