/** Waits for the next turn of the event loop, so that a batch contains all values of one turn. */
const nextTurn = () => new Promise(setImmediate)

/**
 * Returns a function that writes one value and resolves at its commit. Values that arrive while a batch is being written form the
 * next batch, so that many callers share one transaction. A failed batch rejects for all its callers.
 */
export function groupedWrites<Value>(
  write: (values: readonly Value[]) => Promise<void>,
): (value: Value) => Promise<void> {
  let waiting: Value[] = []
  let gathering: Promise<void> | undefined
  /** The batch that is being written. The next batch starts after it. */
  let currentBatch: Promise<unknown> = Promise.resolve()

  async function writeNext(): Promise<void> {
    await nextTurn()
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
