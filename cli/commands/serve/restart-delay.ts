const FIRST_MS = 500
const MAX_MS = 30_000
/** A worker that has lived this long did not die in a crash loop. */
const SHORT_LIFE_MS = 60_000

/** Decides when to restart the workers of one slot. */
export interface RestartDelay {
  /** Milliseconds to wait after a life of `livedMs`: 0 after a single crash, more for each further short life. */
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
