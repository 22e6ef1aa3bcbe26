/**
 * Returns a function that writes one value and resolves after the commit. Values that arrive during a write form the
 * next batch, which is one transaction. If a batch fails, all calls with its values reject with the error.
 */
export function groupedWrites<Value>(
  write: (values: readonly Value[]) => Promise<void>,
): (value: Value) => Promise<void> {
  let waiting: Value[] = []
  let gathering: Promise<void> | undefined
  /** The batch that is being written. The next batch starts after it. */
  let currentBatch: Promise<unknown> = Promise.resolve()

  async function writeNext(): Promise<void> {
    // Wait until the event loop's current turn ends, so that a batch contains all values of the turn.
    await new Promise(setImmediate)
    await currentBatch
    const values = waiting
    waiting = []
    gathering = undefined
    const writing = write(values)
    currentBatch = writing.catch(() => {})
    await writing
  }

  return (value) => {
    waiting.push(value)
    gathering ??= writeNext()
    return gathering
  }
}
