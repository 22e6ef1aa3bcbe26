import { setImmediate as nextTurn } from 'node:timers/promises'

/** Maximum time that one request may occupy the event loop without a pause. */
const SLICE_MS = 4

/** Divides long work into slices, so that other requests can run between them. */
export class Slices {
  /** Number of pauses so far. */
  turns = 0
  private since = performance.now()

  /**
   * Call it between steps of the work. Returns undefined while time remains. Otherwise, returns a promise to await
   * before the next step.
   */
  pause(): Promise<void> | undefined {
    return performance.now() - this.since < SLICE_MS ? undefined : this.next()
  }

  private async next(): Promise<void> {
    this.turns += 1
    await nextTurn()
    this.since = performance.now()
  }
}
